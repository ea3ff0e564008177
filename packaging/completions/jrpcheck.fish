# Completion of jrpcheck for fish. The program itself says what could stand here (jrpcheck help --complete), so this
# file knows no option and no command.
function __jrpcheck_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    set -l part (string replace -r '^.*=' '' -- $word)
    set -l before (string replace -r '[^=]*$' '' -- $word)
    for line in ($program help --complete -- $words "$word" 2>/dev/null)
        switch $line
            case :files
                printf '%s\n' $before(__fish_complete_path "$part")
            case :folders
                printf '%s\n' $before(__fish_complete_directories "$part" '')
            case :commands
                __fish_complete_command
            case '*'
                printf '%s\n' $line
        end
    end
end

complete -c jrpcheck -f -a '(__jrpcheck_complete)'
