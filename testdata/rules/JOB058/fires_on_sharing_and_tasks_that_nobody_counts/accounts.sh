sacctmgr -i add qos low
sacctmgr -i add qos strict
sacctmgr -i add account lab
sacctmgr -i add account other
sacctmgr -i add user alice Account=lab
sacctmgr -i modify user alice set QosLevel=normal,low,strict
sacctmgr -i modify qos strict set MaxTRESPerJob=gres/gpu=1 MaxWall=1:00:00 MaxSubmitJobsPerUser=4 Flags=DenyOnLimit
scontrol create reservation ReservationName=course Users=bob Nodes=gpu-1 StartTime=now Duration=60
