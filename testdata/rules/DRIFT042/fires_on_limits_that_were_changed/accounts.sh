sacctmgr -i add qos short MaxWall=60 GrpTRES=gres/gpu=8,cpu=100
sacctmgr -i add account lab GrpTRES=gres/gpu=4
sacctmgr -i add user ada Account=lab MaxSubmitJobs=10
