# Completion of jrpcheck for bash. The program itself says what could stand here (jrpcheck help --complete), so
# this file knows no option and no command. shellcheck shell=bash
_jrpcheck() {
    local line=${COMP_LINE:0:COMP_POINT} program word cut='' offer
    local -a words
    read -ra words <<<"$line"
    case $line in *[[:space:]]) words+=('') ;; esac
    program=${words[0]/#\~/$HOME}
    word=${words[${#words[@]} - 1]}
    # Where "=" breaks words, readline replaces only what stands behind the last one.
    case $COMP_WORDBREAKS in *=*) cut=${word%"${word##*=}"} ;; esac
    COMPREPLY=()
    while IFS=$'\t' read -r offer _; do
        case $offer in
        :files | :folders | :commands) _jrpcheck_names "$offer" "${word##*=}" "${word%"${word##*=}"}" ;;
        *) COMPREPLY+=("${offer#"$cut"}") ;;
        esac
    done < <("$program" help --complete -- "${words[@]:1}" 2>/dev/null)
}

# What only the shell knows: names of files, of folders, of programs.
_jrpcheck_names() {
    local kind=-f name before=$3
    case $1 in :folders) kind=-d ;; :commands) kind=-c ;; *) ;; esac
    case $COMP_WORDBREAKS in *=*) before='' ;; esac
    [ "$kind" = -c ] || compopt -o filenames 2>/dev/null
    while IFS= read -r name; do
        COMPREPLY+=("$before$name")
    done < <(compgen "$kind" -- "$2")
    # A server may as well be named by its path.
    [ "$kind" != -c ] || case $2 in */*) _jrpcheck_names :files "$2" "$3" ;; esac
}

complete -F _jrpcheck jrpcheck
