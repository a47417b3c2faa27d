# bash completion of plumb; made from the tables of the command
_plumb() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
    local cmd='' i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in -*) ;; *) cmd=${COMP_WORDS[i]}; break ;; esac
    done
    case $cmd:$prev in
    check:--slurm) mapfile -t COMPREPLY < <(compgen -W '22.05 23.02 23.11 24.05 24.11 25.05 25.11 26.05' -- "$cur"); return ;;
    check:--from) mapfile -t COMPREPLY < <(compgen -W '22.05 23.02 23.11 24.05 24.11 25.05 25.11 26.05' -- "$cur"); return ;;
    check:--fail-on) mapfile -t COMPREPLY < <(compgen -W 'error warning info never' -- "$cur"); return ;;
    check:--format) mapfile -t COMPREPLY < <(compgen -W 'human compact gcc json jsonl sarif github gitlab junit checkstyle rdjson' -- "$cur"); return ;;
    check:--color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$cur"); return ;;
    build:--slurm) mapfile -t COMPREPLY < <(compgen -W '22.05 23.02 23.11 24.05 24.11 25.05 25.11 26.05' -- "$cur"); return ;;
    build:--fail-on) mapfile -t COMPREPLY < <(compgen -W 'error warning info never' -- "$cur"); return ;;
    build:--format) mapfile -t COMPREPLY < <(compgen -W 'human compact gcc json jsonl sarif github gitlab junit checkstyle rdjson' -- "$cur"); return ;;
    build:--color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$cur"); return ;;
    explain:--slurm) mapfile -t COMPREPLY < <(compgen -W '22.05 23.02 23.11 24.05 24.11 25.05 25.11 26.05' -- "$cur"); return ;;
    explain:--format) mapfile -t COMPREPLY < <(compgen -W 'human json' -- "$cur"); return ;;
    rules:--format) mapfile -t COMPREPLY < <(compgen -W 'human json' -- "$cur"); return ;;
    targets:--format) mapfile -t COMPREPLY < <(compgen -W 'human json' -- "$cur"); return ;;
    topo:--slurm) mapfile -t COMPREPLY < <(compgen -W '22.05 23.02 23.11 24.05 24.11 25.05 25.11 26.05' -- "$cur"); return ;;
    topo:--fail-on) mapfile -t COMPREPLY < <(compgen -W 'error warning info never' -- "$cur"); return ;;
    topo:--format) mapfile -t COMPREPLY < <(compgen -W 'text json svg spec gres nccl nccl.conf topology.conf topology.yaml' -- "$cur"); return ;;
    topo:--color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$cur"); return ;;
    topo:--with) mapfile -t COMPREPLY < <(compgen -W 'nvme hca all' -- "$cur"); return ;;
    topo:--topology) mapfile -t COMPREPLY < <(compgen -W 'tree block' -- "$cur"); return ;;
    drift:--slurm) mapfile -t COMPREPLY < <(compgen -W '22.05 23.02 23.11 24.05 24.11 25.05 25.11 26.05' -- "$cur"); return ;;
    drift:--fail-on) mapfile -t COMPREPLY < <(compgen -W 'error warning info never' -- "$cur"); return ;;
    drift:--format) mapfile -t COMPREPLY < <(compgen -W 'human compact gcc json jsonl sarif github gitlab junit checkstyle rdjson' -- "$cur"); return ;;
    drift:--color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$cur"); return ;;
    hosts:--slurm) mapfile -t COMPREPLY < <(compgen -W '22.05 23.02 23.11 24.05 24.11 25.05 25.11 26.05' -- "$cur"); return ;;
    version:--format) mapfile -t COMPREPLY < <(compgen -W 'human json' -- "$cur"); return ;;
    esac
    case $cmd in
    '') mapfile -t COMPREPLY < <(compgen -W 'check build explain rules targets schema topo drift hosts completion version help' -- "$cur") ;;
    check)
        if [[ $cur == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--directory -C --slurm --kubernetes --from --table --select --ignore --severity --fail-on --format --color --max-findings --as --cluster --user --stdin-name --quiet -q --verbose -v --timings --help -h --version' -- "$cur")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        fi
        ;;
    build)
        if [[ $cur == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--directory -C --slurm --kubernetes --table --select --ignore --severity --fail-on --format --color --max-findings --as --stdin-name --output -o --target --check --force --overwrite --quiet -q --verbose -v --timings --help -h --version' -- "$cur")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        fi
        ;;
    explain)
        if [[ $cur == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--slurm --table --format --spec --quiet -q --verbose -v --help -h --version' -- "$cur")
        else
            COMPREPLY=()
        fi
        ;;
    rules)
        if [[ $cur == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--format --quiet -q --verbose -v --help -h --version' -- "$cur")
        else
            COMPREPLY=()
        fi
        ;;
    targets)
        if [[ $cur == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--format --quiet -q --verbose -v --help -h --version' -- "$cur")
        else
            COMPREPLY=()
        fi
        ;;
    schema)
        if [[ $cur == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--quiet -q --verbose -v --help -h --version' -- "$cur")
        else
            COMPREPLY=()
        fi
        ;;
    topo)
        if [[ $cur == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--directory -C --slurm --kubernetes --select --ignore --severity --fail-on --format --color --max-findings --as --stdin-name --audit --partial --merge --jobs -j --with --topology --quiet -q --verbose -v --timings --help -h --version' -- "$cur")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        fi
        ;;
    drift)
        if [[ $cur == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--directory -C --slurm --kubernetes --select --ignore --severity --fail-on --format --color --max-findings --as --stdin-name --quiet -q --verbose -v --timings --help -h --version' -- "$cur")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        fi
        ;;
    hosts)
        if [[ $cur == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--slurm --sort --separator --quiet -q --verbose -v --help -h --version' -- "$cur")
        else
            mapfile -t COMPREPLY < <(compgen -W 'fold expand count diff union intersect' -- "$cur")
        fi
        ;;
    completion)
        if [[ $cur == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--quiet -q --verbose -v --help -h --version' -- "$cur")
        else
            mapfile -t COMPREPLY < <(compgen -W 'bash zsh fish' -- "$cur")
        fi
        ;;
    version)
        if [[ $cur == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--format --quiet -q --verbose -v --help -h --version' -- "$cur")
        else
            COMPREPLY=()
        fi
        ;;
    help)
        if [[ $cur == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--quiet -q --verbose -v --help -h --version' -- "$cur")
        else
            mapfile -t COMPREPLY < <(compgen -W 'check build explain rules targets schema topo drift hosts completion version help' -- "$cur")
        fi
        ;;
    esac
}
complete -o filenames -F _plumb plumb
