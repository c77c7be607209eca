import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPermissions } from '../src/index.ts';
import { action, given, judging, project } from './project.ts';

function prepared(): string {
  const folder = project();
  for (const path of ['src', 'sub', '.turnwire', 'secrets']) mkdirSync(join(folder, path), { recursive: true });
  for (const path of ['src/a', 'b', 'sub/x', '.turnwire/permissions.json']) writeFileSync(join(folder, path), '{}');
  return folder;
}

/** The lines that run without a question under these rules if everything else is allowed. */
function letRun(lines: string, ...rules: readonly string[]): readonly string[] {
  const folder = prepared();
  if (!rules.includes('without .env')) writeFileSync(join(folder, '.env'), 'SECRET=1');
  const permissions = createPermissions({
    project: folder,
    mode: 'bypassPermissions',
    rules: rules.filter((rule) => rule !== 'without .env').map(given),
    home: join(folder, '..', 'home'),
    files: { project: join(folder, '.turnwire', 'permissions.json') },
  });
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .filter((line) => {
      const command = line.replace('PROJECT', folder);
      return permissions.judge(action(folder, { command, cwd: folder })).effect === 'allow';
    });
}

test('a rule that denies changes matches behind wrappers, in texts and in find -exec', () => {
  const lines = String.raw`
    timeout 5 rm src/a
    env rm src/a
    env -i PATH=/bin rm src/a
    env -C src rm a
    command rm src/a
    nice cp b src/a
    nice -n 5 cp b src/a
    exec rm src/a
    nohup rm src/a
    setsid rm src/a
    stdbuf -o0 tee src/a
    flock x rm src/a
    strace rm src/a
    unshare rm src/a
    ionice -c3 rm src/a
    setarch x86_64 rm src/a
    prlimit --nofile=3 rm src/a
    choom -n 5 -- rm src/a
    ssh-agent rm src/a
    echo src/a | xargs rm
    xargs -a list rm
    timeout 5 sed -i s/a/b/ src/a
    bash -c 'exec rm src/a'
    sh -c "timeout 5 env rm src/a"
    find src -exec rm {} +
    find src -name a -exec rm {} \;
    find . -name 'a' -exec timeout 5 rm {} \;
    find -name a -delete
    unknown-wrapper --flag rm src/a
    unknown-wrapper 'cd sub; rm ../src/a'
    git -c alias.x='!rm src/a' x
    ex -c '!rm src/a'
  `;
  expect(letRun(lines, 'deny Edit(src/**)')).toEqual([]);
});

test('a rule that denies changes matches programs and folder trees that write where their arguments point', () => {
  const lines = String.raw`
    scp b src/a
    openssl rand -out src/a 4
    awk -i inplace 1 src/a
    ar r src/a b
    bsdtar -xf a.tar -C src
    fallocate -l 1 src/a
    mktemp -p src
    git clone . src/c
    sqlite3 src/a 'create table x(y)'
    tar xf a.tar
    tar --extract -f a.tar
    unzip -o x.zip
    patch -p1 < x.patch
    git apply x.patch
    timeout 5 git apply x.patch
    for f in src/*; do rm "$f"; done
  `;
  expect(letRun(lines, 'deny Edit(src/**)')).toEqual([]);
});

test('changing the rule files behind a wrapper needs approval', () => {
  const lines = String.raw`
    env rm -r .turnwire
    timeout 5 rm .turnwire/permissions.json
    find . -name permissions.json -delete
    find -name permissions.json -delete
    find . -name permissions.json -exec rm {} +
    unknown-wrapper rm .turnwire/permissions.json
    sh -c 'nohup rm .turnwire/permissions.json'
  `;
  expect(letRun(lines, 'deny Read(.env)')).toEqual([]);
  const all = String.raw`
    find . -delete
    find . -type f -exec rm {} +
    git clean -fdx
    rm -rf ../project
    mv ../project ../away
  `;
  expect(letRun(lines + all, 'without .env')).toEqual([]);
});

test('a rule that denies reads matches expanded words, unnamed folders and addresses', () => {
  const lines = String.raw`
    find . -name '.e*' | xargs cat
    ls -A | grep env | xargs cat
    printf '%s%s' .e nv | xargs cat
    xargs -a list cat
    find -name '.e*' -exec cat {} +
    find . -name '.e*' -exec cat {} +
    find . -type f -exec cat {} +
    grep -r SECRET
    grep -R SECRET .
    rg --hidden SECRET
    rg SECRET -g '.e*'
    rg -e b --hidden
    grep -r -A 3 SECRET
    grep -rn --include '.e*' SECRET
    grep -rn --include=* SECRET .
    cat < /proc/self/cwd/.env
    sed --expression=r.env b
    sed '/bar/r.env' b
    fd -H env -x cat
    cpio -o < list
    for f in .env; do cat "$f"; done
    for f in b .e*; do head "$f"; done
    f=.env; for g in b; do cat "$f"; done
    for f in b; do f=.env; cat "$f"; done
    for f in b; do read -r f; cat "$f"; done
    cat "$f"; for f in b; do :; done
    for f in b; do for f in .env; do cat "$f"; done; done
    curl FILE://$PWD/.env
    curl FILE://PROJECT/sub/../%2eenv
    curl file:PROJECT/.env
    curl file:///x/.en[v-v]
    curl 'file://PROJECT/.{env}'
    sed -n '1r.env' b
    sed 'r .env' b
    git grep -h S -- '.en*'
    tar -cf - -T list
    sort --files0-from=list
    timeout 5 cat .env
    unknown-wrapper 'cat .env'
  `;
  expect(letRun(lines, 'deny Read(.env)')).toEqual([]);
});

test('a rule that denies reads applies to a file that does not exist yet', () => {
  const lines = String.raw`
    git checkout HEAD -- .env && cat .env
    cat .env
    cat sub/.env
    mv b .env && cat .env
    cp b .env; cat .env
    echo x > .env; cat .env
    cat secrets/key
    python3 -c 'print(open(".env").read())'
    env cat .env
  `;
  expect(letRun(lines, 'deny Read(.env)', 'deny Read(secrets/**)', 'without .env')).toEqual([]);
});

test("a rule that denies a command matches it behind its program's options, abbreviated, and in texts", () => {
  const cases: readonly (readonly [rule: string, lines: string])[] = [
    ['npm publish *', 'npm -s publish\nnpm -w pkg publish\nnpm publi\nenv npm -s publish\nnpm publish --tag x'],
    ['kubectl delete *', 'kubectl -n prod delete pod x\nkubectl --namespace=x delete pod y'],
    ['docker rm *', 'docker -H tcp://x rm y'],
    ['terraform destroy *', 'terraform -chdir=x destroy'],
    ['gh pr merge *', 'gh -R o/r pr merge 5\ngh pr -R o/r merge 5'],
    ['cargo publish *', 'cargo -q publish'],
    ['pnpm publish *', 'pnpm -r publish'],
    ['aws s3 rm *', 'aws --profile p s3 rm s3://x'],
    ['git push *', "git --shallow-file x push\ngit -c alias.x=push x\ngit-push\nhyperfine 'true; git push'"],
    [
      'git push *',
      'git send-pack ../bare HEAD\ngit-send-pack x\ngit -C sub send-pack x\ngit subtree push --prefix=sub origin x',
    ],
    ['git push *', 'git -c alias.x=send-pack x y\necho push | git remote-https origin https://example.com/x'],
    ['git fetch *', 'git fetch-pack x HEAD\ngit pull'],
    ['git push --force *', 'git push origin main --force\ngit push -u --force origin'],
    [
      'rm *',
      String.raw`ex -c '!rm x'
      csh -c 'a; rm x'
      hyperfine 'true; rm x'
      concurrently 'rm x' 'ls'
      nodemon --exec 'rm x'
      psql -c '\! rm x'
      less '+!rm x' b
      npm exec -- rm x
      pnpm dlx rm x
      yarn exec rm x
      at now <<< 'rm x'
      echo 'rm x' | batch`,
    ],
  ];
  expect(cases.flatMap(([rule, lines]) => letRun(lines, `deny Bash(${rule})`))).toEqual([]);
});

test('a search that skips a denied file needs no approval, even if the file is in its folder', () => {
  const lines = String.raw`
    rg SECRET
    rg -n SECRET .
    rg --files
    rg -l SECRET -g '*.ts'
    grep -rn "foo bar" --include="*.ts" .
    grep -r --include=*.md -A 3 foo .
    npx tsc -p .
    tsc --noEmit -p .
    npx eslint .
    find . -type f -name '*.md' -exec cat {} +
    for f in src/*.ts; do echo "$f"; wc -l "$f"; done
    for f in src/a b; do cat "\${f}"; done
  `.replaceAll(String.raw`\$`, '$');
  const all = lines
    .trim()
    .split('\n')
    .map((line) => line.trim());
  expect(letRun(lines, 'deny Read(.env)')).toEqual(all);
  // A name without a leading dot is found.
  expect(letRun('rg KEY\nrg -n KEY .', 'deny Read(b)')).toEqual([]);
});

test('rules that deny do not ask about lines that only contain the same words', () => {
  const lines = `git commit -m push
    git log --grep=push
    git stash push
    npm run publish-docs
    gzip -k b
    unzip -l x.zip
    git apply --stat x.patch
    npm install
    cat README.md
    grep -n push b
    find . -name b
    rg push
    node --version
    git checkout main`;
  const rules = ['deny Bash(git push *)', 'deny Bash(npm publish *)', 'deny Bash(rm *)', 'deny Edit(src/**)'];
  expect(letRun(lines, ...rules)).toEqual(lines.split('\n').map((line) => line.trim()));
});

test('a line beyond the limits is a doubt and is not parsed', () => {
  const lines = [
    `x $y `.repeat(12_000),
    `a `.repeat(30_000),
    '$('.repeat(20_000),
    'cd a;'.repeat(13_000),
    '`'.repeat(60_000),
    `xargs ${'rm src/a '.repeat(7_000)}`,
    `env ${`'rm x' `.repeat(9_000)}`,
    `${'('.repeat(30_000)}${')'.repeat(30_000)}`,
    `${'{ '.repeat(20_000)}`,
    `sh -c '${'a '.repeat(30_000)}'`,
  ];
  const judge = judging(prepared(), ['deny Bash(rm *)', 'deny Edit(src/**)', 'deny Read(.env)'], 'bypassPermissions');
  const effects = lines.map((line) => judge(line).effect);
  expect(effects).toEqual(lines.map(() => 'ask'));
});
