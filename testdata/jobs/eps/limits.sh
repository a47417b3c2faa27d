sacctmgr -i modify qos nojobs set MaxJobsPerUser=0
sacctmgr -i modify qos nosub set MaxSubmitJobsPerUser=0
sacctmgr -i modify qos runmins set GrpTRESRunMins=cpu=100
sacctmgr -i modify qos runstrict set GrpTRESRunMins=cpu=100 Flags=DenyOnLimit
sacctmgr -i modify qos wall0 set GrpWall=30
sacctmgr -i modify qos needresv set Flags=RequiresReservation
sacctmgr -i modify qos peracct set MaxTRESPerAccount=gres/gpu=1
sacctmgr -i modify qos grp set GrpTRES=gres/gpu=2,node=1 Flags=DenyOnLimit
sacctmgr -i modify qos mins set MaxTRESMinsPerJob=gres/gpu=60
sacctmgr -i modify qos nodelim set MaxTRESPerNode=cpu=4
sacctmgr -i modify qos minq set MinTRESPerJob=gres/gpu=1 Flags=DenyOnLimit
sacctmgr -i modify account low set GrpTRES=cpu=4 MaxJobs=0
sacctmgr -i modify user alice where account=low set MaxTRESPerJob=cpu=2
