// Package gitrepo is everything cairn asks of git: which repository a directory belongs
// to, facts of its working tree, and a branch that is never checked out, used as a
// store of small text files.
//
// # Promises
//
//   - Discovery gives git's own answer. It is read from the files if they leave no
//     doubt, and asked of git (one `git rev-parse`) otherwise, so linked
//     worktrees, submodules, bare and shallow repositories, GIT_DIR, core.worktree,
//     symbolic links, ceiling directories and safe.directory all mean what
//     they mean to git. A plain repository needs no git program.
//   - The user's index, working tree, HEAD, stash, hooks, other refs and reflogs are
//     never written. No commit hook runs and nothing is signed. Only
//     git's own gatekeeper of refs, the reference-transaction hook, runs.
//   - A branch moves only by compare-and-swap, under git's own lock of the ref: in
//     its files if nothing else decides about the move, else by `git update-ref`.
//     Whatever else moves it at the same time, cairn or git or a script, no commit
//     is lost: a lost race is run again on the new tip. If a mover is
//     killed, the next one removes its lock.
//   - A ref never names an object that is not complete, whenever a process ends.
//   - Equal input makes equal commits: no clock, no chance.
//   - The id of the working tree (WorktreeAt) is the one that git would give to a commit
//     of everything not ignored, at one moment; a change since then is an error, never a guess.
//   - Nothing here uses the network, except reading files of the branch in a partial
//     clone, where git fetches missing objects.
//
// # Not promised
//
// Objects and refs are not flushed to disk beyond what the user's git is configured to
// do (core.fsync): the branch can be made again from the shards, which are the durable
// copy. A branch that gets checked out in the very moment it moves shows there as a
// change; before that moment it is refused (ErrCheckedOut). `git gc --prune=now` during
// a commit is repaired, but not if cairn is killed right then.
//
// # How
//
// Objects of sha1 repositories are read and written in process: named and read with
// go-git's plumbing, its codec of object files and its packfile reader, written loose
// by an encoder of our own that is quicker (loose.go). Other objects are read by `git
// cat-file --batch`. In sha256 repositories the git program does both. Two
// implementations of objectStore, one conformance test. Of go-git only packages that
// know no repository are used (plumbing, plumbing/filemode, objfile and packfile): its
// refs, index, worktree and storage code loses updates and misreads ordinary
// repositories, and its reader of configuration makes each start a quarter of a
// millisecond slower.
//
// The configuration is read by package gitconfig, unless a file includes another or has
// a value that versions of git read differently.
//
// Refs are read from their files where that is safe, else by git. The tests compare
// each of these shortcuts with git in every kind of repository. Every call of git has
// GIT_OPTIONAL_LOCKS=0 and LC_ALL=C; after discovery it names the repository explicitly
// and ignores the environment of a hook.
//
// # The branch
//
// Branch is the lower of two layers of branch: it gets files, and returns a commit and
// a moved ref, or an error. It takes a file's content from a function of its caller
// (Change.Merge), since after a lost race it has to be made again from the new tip. The
// upper layer is the interface manifest.Branch. Package place opens a Branch for it;
// the name is read from the configuration at the first use.
//
// What may go in here: questions to git and the writing of the branch. Package manifest
// knows what the files of the branch mean.
package gitrepo
