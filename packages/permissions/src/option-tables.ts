/** The harmless options of a command. */
export interface CommandOptions {
  /** Option letters. A colon after one means that it takes a value; a question mark, that it may take one in the same word. */
  readonly short: string;
  /** Option names, separated by blanks. A colon after one means that it takes a value, in the same word after `=` or in the next word. */
  readonly long: string;
  /** Whole words of a command that has neither letters nor names, such as `-maxdepth:`. */
  readonly whole?: string;
  /** Whether the first word is a bundle of letters, even without a dash. */
  readonly bundled?: boolean;
  /**
   * The options of each verb, which is the first word that is not an option; `any` if all verbs share them. An unlisted verb has no
   * harmless options.
   */
  readonly verbs?: Readonly<Record<string, CommandOptions>> | 'any';
  readonly otherVerbs?: CommandOptions;
  /** The maximum number of operands: the command writes to later ones, or runs them. Absent for any number. */
  readonly operands?: number;
  /** Words that may be neither an option nor an operand. */
  readonly never?: RegExp;
}

// The options with which these commands neither run other programs nor write to a file of an option. In `short` a colon follows a letter
// that takes a value, and a question mark a letter whose value, if any, follows at once. In `long` both follow the name.

const none: CommandOptions = { short: '', long: '' };

const gitLog =
  'abbrev abbrev-commit after: all ancestry-path anchored: author: before: boundary branches branch cached check cherry cherry-mark ' +
  'cherry-pick color color-moved color-words combined-all-paths committer: compact-summary cumulative date: decorate ' +
  'decorate-refs: diff-algorithm: diff-filter: dirstat encoding: exit-code find-copies find-copies-harder find-object: find-renames ' +
  'first-parent follow format: full-diff full-history full-index function-context glob: graph grep: histogram ignore-all-space ' +
  'ignore-blank-lines ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-submodules indent-heuristic inter-hunk-context: ' +
  'invert-grep irreversible-delete left-right left-only max-count: max-parents: merge-base merges min-parents: minimal name-only ' +
  'name-status no-abbrev-commit no-color no-commit-id no-decorate no-ext-diff no-index no-indent-heuristic no-merges no-notes no-patch ' +
  'no-prefix no-renames no-textconv no-walk notes numstat oneline parents patch patch-with-stat patience pickaxe-all pickaxe-regex ' +
  'pretty quiet raw regexp-ignore-case relative relative-date remotes remove-empty reverse root right-only shortstat show-notes ' +
  'show-pulls show-signature simplify-by-decoration simplify-merges since: skip: source src-prefix: dst-prefix: staged stat stat-count: ' +
  'stat-name-width: stat-width: submodule summary tags text topo-order date-order author-date-order unified: until: walk-reflogs ' +
  'word-diff word-diff-regex: ws-error-highlight: extended-regexp fixed-strings basic-regexp perl-regexp';

const git: Readonly<Record<string, CommandOptions>> = {
  add: {
    short: 'vnfiupANe',
    long: 'all dry-run force interactive intent-to-add no-all patch refresh update verbose ignore-errors renormalize chmod:',
  },
  blame: {
    short: 'bcefklnpstwC?L:M?S:',
    long: 'line-porcelain porcelain show-name show-number show-email color-lines incremental root since: reverse date: ignore-rev: abbrev',
  },
  branch: {
    short: 'avrlqidDmMcCftu:',
    long: 'all list remotes verbose contains: no-contains: merged no-merged: show-current sort: format: delete move copy force points-at: set-upstream-to: unset-upstream track no-track color no-color column',
  },
  'cat-file': { short: 'pte s', long: 'batch-check follow-symlinks' },
  checkout: {
    short: 'b:B:qftlmdp',
    long: 'branch ours theirs track no-track detach force quiet merge patch orphan: recurse-submodules',
  },
  'cherry-pick': {
    short: 'xnesm:',
    long: 'abort continue skip quit no-commit mainline: signoff allow-empty edit ff keep-redundant-commits',
  },
  bisect: {
    ...none,
    verbs: {
      bad: none,
      good: none,
      log: none,
      new: none,
      old: none,
      reset: none,
      skip: none,
      start: none,
    },
  },
  clean: { short: 'dfinqxXe:', long: 'force dry-run quiet exclude: interactive' },
  clone: {
    short: 'qvnsl46b:o:j:',
    long: 'depth: branch: single-branch no-single-branch no-tags quiet verbose progress bare mirror no-checkout origin: shallow-since: filter: sparse no-hardlinks local shared jobs:',
  },
  commit: {
    short: 'aqvseopnm:F:C:c:z',
    long: 'all amend message: no-edit no-verify quiet verbose allow-empty allow-empty-message signoff author: date: dry-run file: fixup: squash: reuse-message: only include reset-author no-gpg-sign cleanup: short trailer: untracked-files porcelain branch patch',
  },
  describe: {
    short: '',
    long: 'tags all always abbrev: match: exclude: long dirty broken exact-match contains first-parent candidates:',
  },
  diff: { short: 'pusRabwWzB?C?D?G:M?S:U:l:X?tq0123456789', long: gitLog },
  fetch: {
    short: 'apPqtvfnk4 6j:',
    long: 'all append atomic depth: deepen: dry-run force keep multiple no-tags prune prune-tags progress quiet recurse-submodules shallow-since: tags unshallow update-shallow verbose jobs:',
  },
  'for-each-ref': { short: '', long: 'count: sort: format: points-at: merged no-merged contains no-contains' },
  grep: {
    short: 'EFGPHILchilnqrvwzA:B:C:e:m:p',
    long: 'cached untracked no-index exclude-standard text ignore-case word-regexp invert-match extended-regexp fixed-strings perl-regexp basic-regexp line-number column files-with-matches name-only files-without-match count all-match after-context: before-context: context: heading break show-function function-context max-depth: max-count: recurse-submodules color no-color and or not quiet threads:',
  },
  log: { short: 'pusRabcgmrtwWzEFPiB?C?D?G:L:M?S:U:l:n:X?q0123456789', long: gitLog },
  'ls-files': {
    short: 'cdmostuvkzfix:X:',
    long: 'cached deleted modified others ignored stage unmerged killed exclude: exclude-standard error-unmatch full-name deduplicate eol abbrev',
  },
  'ls-remote': { short: 'hqt', long: 'heads tags branches refs quiet exit-code get-url sort: symref' },
  'ls-tree': { short: 'drtlz', long: 'name-only name-status long full-name full-tree object-only abbrev' },
  merge: {
    short: 'qvnm:F:eX:',
    long: 'abort continue quit ff no-ff ff-only squash no-squash commit no-commit message: edit no-edit log no-log stat no-stat verbose quiet allow-unrelated-histories no-verify signoff strategy-option:',
  },
  'merge-base': { short: 'a', long: 'all octopus is-ancestor independent fork-point' },
  mv: { short: 'fknv', long: 'force dry-run verbose' },
  pull: {
    short: 'qvnar',
    long: 'all ff ff-only no-ff rebase no-rebase autostash no-autostash prune tags no-tags verbose quiet depth: squash no-squash commit no-commit no-edit edit stat no-stat unshallow',
  },
  push: {
    short: 'qvnfu46d',
    long: 'all branches mirror tags follow-tags force force-with-lease force-if-includes no-verify set-upstream delete prune dry-run quiet verbose porcelain atomic progress no-force-with-lease',
  },
  rebase: {
    short: 'iqvnmkfX:',
    long: 'abort continue skip quit onto: interactive autosquash no-autosquash autostash no-autostash keep-base root rebase-merges merge strategy-option: quiet verbose stat no-stat no-verify update-refs keep-empty edit-todo show-current-patch reapply-cherry-picks force-rebase no-ff fork-point no-fork-point committer-date-is-author-date',
  },
  reflog: { short: 'n:qa0123456789', long: gitLog },
  remote: {
    short: 'v',
    long: 'verbose',
    verbs: { 'get-url': { short: '', long: 'all push' }, show: { short: 'n', long: '' } },
  },
  reset: { short: 'qpN', long: 'soft mixed hard merge keep quiet patch no-refresh' },
  restore: {
    short: 's:SWqpm',
    long: 'source: staged worktree quiet ours theirs patch merge recurse-submodules progress',
  },
  revert: { short: 'enm:s', long: 'abort continue skip quit no-edit edit no-commit mainline: signoff' },
  'rev-list': { short: 'n:0123456789', long: `${gitLog} count objects objects-edge` },
  'rev-parse': {
    short: 'q',
    long: 'abbrev-ref short verify show-toplevel show-prefix show-cdup git-dir absolute-git-dir git-common-dir is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository symbolic symbolic-full-name all branches tags remotes quiet sq show-superproject-working-tree git-path:',
  },
  rm: { short: 'fnrq', long: 'cached force dry-run quiet ignore-unmatch' },
  shortlog: { short: 'nseqcw?', long: `${gitLog} numbered summary email group:` },
  show: { short: 'pusRabcmrtwWzB?C?D?G:M?S:U:l:q0123456789', long: gitLog },
  'show-ref': { short: 'dhqs', long: 'heads tags branches verify hash abbrev dereference head' },
  submodule: {
    short: 'q',
    long: 'quiet',
    verbs: {
      init: none,
      status: { short: '', long: 'cached recursive' },
      summary: none,
      update: { short: 'Nfj:', long: 'init recursive depth: remote no-fetch force jobs: progress' },
    },
  },
  stash: {
    short: 'aqukpSm:',
    long: 'all include-untracked keep-index no-keep-index message: quiet patch index staged stat',
  },
  status: {
    short: 'sbu?vz',
    long: 'short branch porcelain long verbose untracked-files ignored ignore-submodules no-renames renames find-renames ahead-behind no-ahead-behind show-stash column no-column',
  },
  switch: {
    short: 'c:C:dfmqt',
    long: 'create: force-create: detach discard-changes merge quiet track no-track guess no-guess orphan: progress',
  },
  tag: {
    short: 'adflsnm:F:0123456789',
    long: 'list annotate message: delete force sort: format: contains: no-contains points-at: merged no-merged file: column color',
  },
  worktree: {
    ...none,
    verbs: { list: { short: 'vz', long: 'porcelain verbose' }, lock: { short: '', long: 'reason:' }, unlock: none },
  },
};

const npmVerb: CommandOptions = {
  short: 'DEPSgsw:',
  long: 'all audit depth: dev dry-run fund ignore-scripts include: json long no-audit no-fund no-save omit: production save save-dev save-exact silent workspace: workspaces if-present filter: recursive frozen-lockfile offline prefer-offline parallel stream watch run coverage loglevel:',
};

const packageManager: CommandOptions = {
  short: 'rsw:F:',
  long: 'silent recursive workspace: workspaces filter: if-present',
  verbs: 'any',
  otherVerbs: npmVerb,
};

/** Commands that users consider harmless but that have harmful options. */
export const optionTables: Readonly<Record<string, CommandOptions>> = {
  cargo: {
    short: 'qv',
    long: 'quiet verbose offline locked frozen color:',
    verbs: 'any',
    otherVerbs: {
      short: 'qvj:p:rF:',
      long: 'all all-features all-targets bench: benches bin: bins color: doc example: examples exclude: features: fix frozen jobs: keep-going lib locked message-format: no-default-features no-fail-fast no-run no-deps offline open package: profile: quiet release test: tests verbose workspace check allow-dirty allow-staged depth: invert: edges:',
    },
  },
  curl: {
    never: /%output\{/,
    short: 'fgiIkLnNsSvA:b:d:e:F:H:m:r:u:w:X:y:Y:z:0123456',
    long: 'compressed connect-timeout: cookie: data: data-ascii: data-binary: data-raw: data-urlencode: fail fail-with-body form: get globoff head header: http1.1 http2 include insecure ipv4 ipv6 json: location max-redirs: max-time: no-buffer no-progress-meter path-as-is progress-bar range: referer: request: resolve: retry: retry-all-errors retry-connrefused retry-delay: retry-max-time: show-error silent tlsv1.2 tlsv1.3 url: url-query: user: user-agent: verbose write-out:',
  },
  date: { short: 'uRd:I?r:', long: 'utc universal iso-8601 rfc-3339: rfc-email date: reference:' },
  fd: {
    short: 'aceEgHhiIlLnpqsuS:t:d:E:e:c:j:0 1',
    long: 'absolute-path base-directory: case-sensitive changed-before: changed-within: color: exact-depth: exclude: extension: fixed-strings follow full-path glob hidden ignore-case max-depth: max-results: min-depth: no-ignore no-ignore-vcs one-file-system owner: print0 prune quiet regex search-path: size: strip-cwd-prefix threads: type: unrestricted list-details',
  },
  find: {
    short: '',
    long: '',
    whole:
      '-H -L -P -O0 -O1 -O2 -O3 -a -amin: -and -anewer: -atime: -cmin: -cnewer: -ctime: -daystart -depth -empty -executable -false -follow -fstype: -gid: -group: -ilname: -iname: -inum: -ipath: -iregex: -iwholename: -links: -lname: -ls -maxdepth: -mindepth: -mmin: -mount -mtime: -name: -newer: -nogroup -noleaf -not -nouser -o -or -path: -perm: -print -print0 -printf: -prune -quit -readable -regex: -regextype: -samefile: -size: -true -type: -uid: -used: -user: -wholename: -writable -xdev -xtype:',
  },
  git: {
    short: 'Pp',
    long: 'no-pager paginate no-optional-locks literal-pathspecs no-replace-objects version',
    verbs: git,
  },
  go: {
    short: '',
    long: '',
    verbs: 'any',
    otherVerbs: {
      short: '',
      long: '',
      whole:
        '-a -bench: -benchmem -benchtime: -count: -cover -covermode: -coverpkg: -cpu: -failfast -json -l -m -mod: -n -p: -parallel: -race -run: -short -shuffle: -skip: -tags: -timeout: -trimpath -u -v -x -w -e -f: -versions -s',
    },
  },
  man: none,
  npm: packageManager,
  pnpm: packageManager,
  rg: {
    short: 'abcFhHiIlLnNoPpqsSTuUvVwxz0A:B:C:d:E:e:f:g:j:m:M:r:t:T:.',
    long: 'after-context: before-context: binary block-buffered byte-offset case-sensitive color: colors: column context: context-separator: count count-matches crlf debug dfa-size-limit: encoding: engine: field-context-separator: field-match-separator: file: files files-with-matches files-without-match fixed-strings follow glob: glob-case-insensitive heading hidden iglob: ignore-case ignore-file: include-zero invert-match json line-buffered line-number line-regexp max-columns: max-columns-preview max-count: max-depth: max-filesize: mmap multiline multiline-dotall no-config no-filename no-heading no-hidden no-ignore no-ignore-dot no-ignore-exclude no-ignore-files no-ignore-global no-ignore-parent no-ignore-vcs no-line-number no-messages no-mmap no-require-git null null-data one-file-system only-matching passthru path-separator: pcre2 pretty quiet regexp: replace: smart-case sort: sortr: stats stop-on-nonmatch text threads: trim type: type-list type-not: unrestricted version vimgrep with-filename word-regexp',
  },
  rsync: {
    short: 'avrlptgoDHAXhnPzuqcWxiS0',
    long: 'archive verbose recursive links perms times group owner devices specials dry-run progress partial compress update quiet checksum whole-file human-readable itemize-changes stats delete exclude: include: max-size: min-size: size-only existing ignore-existing list-only',
  },
  scp: { short: '346ABCpqrvTOP:c:i:l:', long: '' },
  sort: {
    short: 'bdfgiMhnRrVcCmsuzk:t:S:T:',
    long: 'ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort reverse version-sort check merge stable unique zero-terminated key: field-separator: buffer-size: temporary-directory: parallel: debug batch-size: sort:',
  },
  split: {
    short: 'a:b:C:del:n:t:ux',
    long: 'suffix-length: bytes: line-bytes: numeric-suffixes hex-suffixes lines: number: additional-suffix: separator: verbose',
  },
  tar: {
    short: 'cxtzjJvkpmhOurdPSC:f:X:T:b:',
    long: 'create extract get list gzip gunzip bzip2 xz zstd verbose file: directory: exclude: exclude-from: exclude-vcs strip-components: wildcards no-wildcards keep-old-files overwrite preserve-permissions same-permissions no-same-owner same-owner no-same-permissions touch to-stdout dereference append update diff delete auto-compress files-from: null no-recursion sort: mtime: owner: group: numeric-owner totals transform:',
    bundled: true,
  },
  tree: {
    short: 'adflipshugDFqNQrtvUXJLP:I:L:CAnx',
    long: 'dirsfirst noreport gitignore charset: filelimit: prune du si sort: matchdirs',
  },
  uniq: {
    short: 'cdDiuzf:s:w:',
    long: 'count repeated unique ignore-case skip-fields: skip-chars: check-chars: zero-terminated',
    operands: 1,
  },
  // The scripts are checked separately.
  sed: {
    short: 'nErsuze:',
    long: 'quiet silent regexp-extended separate unbuffered null-data posix sandbox expression:',
  },
  wget: {
    short: 'qSvTt:cN46U:',
    long: 'quiet spider server-response timeout: tries: no-verbose max-redirect: header: user-agent: method: no-check-certificate',
  },
  xxd: { short: 'abdeEirupc:g:l:o:s:', long: '', operands: 1 },
  yarn: packageManager,
  zip: { short: 'rqvj0123456789ymux:i:', long: 'recurse-paths quiet verbose junk-paths exclude: include: symlinks' },
};
