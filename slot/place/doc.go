// Package place finds a member's place in its group: from three variables, or with an index
// that a platform gives out.
//
//	SLOTKEY_GROUP        the group's name
//	SLOTKEY_GROUP_SIZE   the number of slots, the same for every member
//	SLOTKEY_GROUP_INDEX  the slot of this member, from 0, different for every member
//
// [FromEnv] reads all three. Where the platform numbers its instances, [Number] or [Ordinal] makes an index of what it
// gives, and [FromEnvAt] joins it with the group and size of the variables:
//
//	index, err := place.Ordinal(os.Getenv("POD_NAME"), 0)
//	…
//	config, err := place.FromEnvAt(os.LookupEnv, index)
//	…
//	member, err := slot.New(config)
//
// Nothing is guessed: which platform it is, and from which number it counts (the base), the caller says. Values
// are plain decimal numbers; a sign, a space, a leading zero, another base or a number too large is an error that shows
// the value. A forgotten index is never index 0, unless the size is 1 and there is no other.
//
// Where an index comes from, and what to beware of:
//
//	platform                          index                                                 base  call
//	Kubernetes StatefulSet [1]        the end of the pod's name, web-2                       0     Ordinal(podName, 0)
//	the same, by label [2]            apps.kubernetes.io/pod-index, by the downward API      0     Number(label, 0)
//	Kubernetes Indexed Job [3]        JOB_COMPLETION_INDEX                                   0     Number(v, 0)
//	Nomad [4]                         NOMAD_ALLOC_INDEX                                      0     Number(v, 0)
//	Docker Swarm [5]                  a variable set to {{.Task.Slot}}                       1     Number(v, 1)
//	Cloud Foundry [6]                 CF_INSTANCE_INDEX                                      0     Number(v, 0)
//	Heroku (Cedar) [7]                DYNO, worker.2, after the dot                          1     Number(afterDot, 1)
//	Cloud Run jobs [8]                CLOUD_RUN_TASK_INDEX; size in CLOUD_RUN_TASK_COUNT     0     Number(v, 0)
//	AWS Batch array [9]               AWS_BATCH_JOB_ARRAY_INDEX; size in …_ARRAY_SIZE        0     Number(v, 0)
//	Slurm [10]                        SLURM_PROCID; size in SLURM_NTASKS                     0     Number(v, 0)
//	systemd [11]                      %i of app@2.service, in Environment=                   yours Number(v, base)
//
//	[1] The base is spec.ordinals.start where that is set (stable since Kubernetes 1.31; the pod is not told). The host name is
//	    the pod's name, except under hostNetwork, where it is the node's: hand down metadata.name as a variable. A Deployment's pods
//	    have no ordinal: see Ordinal.
//	    https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#pod-identity
//	[2] Set since Kubernetes 1.28, stable since 1.32; with the same base.
//	    https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#pod-index-label
//	[3] parallelism below completions leaves slots without a member.
//	    https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode
//	[4] "Unique within a given version of a job, but canaries or failed tasks in a deployment may reuse the index"; always 0 in
//	    system jobs. https://developer.hashicorp.com/nomad/docs/v1.3.x/runtime/environment
//	[5] After a scale-down the remaining slots may have gaps; in global mode it is a node's id.
//	    https://docs.docker.com/reference/cli/docker/service/create/#create-services-using-templates
//	[6] https://docs.cloudfoundry.org/devguide/deploy-apps/environment-variable.html#CF-INSTANCE-INDEX
//	[7] Two dynos may have one name for a while during a deploy.
//	    https://devcenter.heroku.com/articles/dynos#local-environment-variables
//	[8] https://cloud.google.com/run/docs/container-contract#jobs-env-vars
//	[9] https://docs.aws.amazon.com/batch/latest/userguide/job_env_vars.html
//	[10] In job arrays SLURM_ARRAY_TASK_ID, whose base and step are those of --array.
//	     https://slurm.schedmd.com/sbatch.html#SECTION_OUTPUT-ENVIRONMENT-VARIABLES
//	[11] https://www.freedesktop.org/software/systemd/man/latest/systemd.unit.html#Specifiers
//
// No platform for services that run on gives the size: set it beside the number of replicas, from one value.
// On Amazon ECS, Azure Container Apps and Docker Compose with --scale nothing can be relied on for an index: give each
// member a service of its own.
//
// All functions are pure apart from the lookup that they are given, and safe for concurrent use.
package place
