sacctmgr -i add qos nojobs
sacctmgr -i add qos nosub
sacctmgr -i add qos runmins
sacctmgr -i add qos runstrict
sacctmgr -i add qos wall0
sacctmgr -i add qos needresv
sacctmgr -i add qos peracct
sacctmgr -i add qos grp
sacctmgr -i add qos mins
sacctmgr -i add qos nodelim
sacctmgr -i add qos minq
sacctmgr -i add account lab
sacctmgr -i add account low
sacctmgr -i add user alice Account=lab DefaultAccount=lab
sacctmgr -i add user alice Account=low
sacctmgr -i modify user alice set QosLevel=normal,nojobs,nosub,runmins,runstrict,wall0,needresv,peracct,grp,mins,nodelim,minq
