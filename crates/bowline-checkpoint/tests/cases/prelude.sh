# What the cases have in common. Run by sh before their lines.
umask 022

# A repository with a commit of one file on the branch main.
repository() {
    git init -q -b main "$@"
    printf 'one\ntwo\nthree\n' > tracked.txt
    git add tracked.txt
    git commit -q -m first
}

# save MESSAGE: everything, committed.
save() {
    git add -A
    git commit -q -m "$1"
}

# many FOLDER COUNT: that many files in it.
many() {
    mkdir -p "$1"
    number=1
    while [ "$number" -le "$2" ]; do
        echo "$number" > "$1/$number"
        number=$((number + 1))
    done
}
