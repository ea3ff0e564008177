# awk -f options.awk PAGE.in HELP: the page, with the options of a --help in place of the line @OPTIONS@.
# An option is a line "  --name VALUE text"; what is indented further goes on with the text.
function plain(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/…/, "...", text)
    return text
}
FNR == 1 { file++ }
file == 1 { page[++lines] = $0; next }
/^  --/ {
    name = $1
    value = $2 ~ /^[A-Z][A-Z0-9:]*$/ && $2 != "HTTP" ? $2 : ""
    text = $0
    sub(/^  --[a-z0-9-]+ */, "", text)
    if (value != "") text = substr(text, length(value) + 1)
    sub(/^ +/, "", text)
    options = options ".TP\n\\fB" plain(name) "\\fR" (value == "" ? "" : " \\fI" value "\\fR") "\n" plain(text) "\n"
    inside = 1
    next
}
inside && /^      / { sub(/^ +/, ""); options = options plain($0) "\n"; next }
{ inside = 0 }
END {
    for (i = 1; i <= lines; i++) {
        if (page[i] == "@OPTIONS@") printf "%s", options
        else print page[i]
    }
}
