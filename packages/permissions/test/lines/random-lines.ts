import fc from 'fast-check';
import { seedLines } from './seed-lines.ts';

/** The words of a text, separated by two blanks or a newline. */
function listed(text: string): readonly string[] {
  return text.trim().split(/\s{2,}|\n/);
}

/** Names of programs and shell builtins. */
const names = [
  ...listed(String.raw`
    git  git  git  ls  cat  cat  echo  echo  grep  find  sort  tar  npm  evil  ./evil  curl  cp  rm  mv  touch
    mkdir  head  wc  printf  read  test  [  cd  true  :  set  export  unset  declare  xargs  env  rg  rsync  scp
    split  sed  tee  pwd  shift  wait  timeout  nohup  sudo  ln
  `),
];

const words = [
  ...listed(String.raw`
    a.txt  secret.txt  .env  sub  src/a.ts  sub/a.txt  out/x  foo  x  .  ..  ./evil  evil  status  push  log  diff
    grep  publish  test  main  HEAD  HEAD~1  a=b  x=1  PATH=p  -  -la  -n  -r  -o  -c  -x  -uo  -f  --  --oneline
    --out=out/x  --o=out/x  -exec  -name  -I  cIf  -e  -v  --pre  --upload-pack=./evil  -O./evil  -C  @secret.txt
    -fsecret.txt  \;  $x  "$x"  $PWD/secret.txt  "$PWD"  $1  "$@"  $?  $(evil)  "$(evil)"  $(< secret.txt)  <(evil)
    $((1+1))  $[1]  *.txt  s*  sec[r]et.txt  .e?v  *  -exe*  {a,b}  secret.{txt,x}  -{o,p}  {1..3}  !(a)  ~  ~/x
    'a b'  "a b"  ''  ""  $'a\x62'  $"a"  $'\''  \$x  '$x'  "\$x"  a\ b  #c  a#c  !  {  }  [[  ]]  ]  =  ==  -eq  -f
    -d  -z  if  then  fi  do  done  in  case  esac  for  time
  `),
  ...['${x}', 'se${x}cret.txt', 'pu${x}sh', '-ex${x}ec', '`evil`', '"`evil`"', '${x:-evil}'],
];

const redirections = [
  ...listed(String.raw`
    > out/x  >> out/x  2>/dev/null  2>&1  < a.txt  < secret.txt  > secret.txt  >| out/y  &> out/x  &>> out/x
    >& out/x  <> out/x  <<< x  <<< "$(evil)"  > $x  3>&1  2>&-  > "a b"  > {a,b}  > s*
  `),
];

const assignments = [
  ...listed(String.raw`
    x=1  x=  x=$(evil)  x=evil  x+=evil  a=(evil)  a[0]=1  PATH=p  CI=1  IFS=v  x=secret.txt  x="push"
  `),
];

const operators = ['; ', '; ', ' && ', ' || ', ' | ', ' | ', ' |& ', ' & ', '\n', '\n'];

type Wrap = (inner: string, other: string) => string;

const wraps: readonly Wrap[] = [
  (inner) => `( ${inner} )`,
  (inner) => `{ ${inner}\n}`,
  (inner) => `! ${inner}`,
  (inner) => `time ${inner}`,
  (inner, other) => `if ${inner}\nthen ${other}\nfi`,
  (inner, other) => `if ${other}\nthen ${inner}\nelse ${inner}\nfi`,
  (inner) => `while grep x\ndo ${inner}\nbreak; done`,
  (inner) => `until ${inner}\ndo break; done`,
  (inner) => `for x in a evil push; do ${inner}\ndone`,
  (inner) => `for x do ${inner}\ndone`,
  (inner) => `for ((i=0;i<1;i++)); do ${inner}\ndone`,
  (inner, other) => `case x in a) ${other}\n;; x|y) ${inner}\n;; esac`,
  (inner) => `f() { ${inner}\n}; f`,
  (inner) => `git() { ${inner}\n}; git status`,
  (inner) => `function f { ${inner}\n}\nf`,
  (inner) => `echo $( ${inner} )`,
  (inner) => `echo "$( ${inner} )"`,
  (inner) => `echo \`${inner.replaceAll(/[`\\]/g, '\\$&')}\``,
  (inner) => `echo "a \${x:-$( ${inner} )} b"`,
  (inner) => `cat <( ${inner} )`,
  (inner) => `ls > >( ${inner} )`,
  (inner) => `x=$( ${inner} )`,
  (inner) => `[[ -n $( ${inner} ) ]]`,
  (inner) => `[[ a || $( ${inner} ) ]]`,
  (inner) => `cat <<END\n$( ${inner} )\nEND\n`,
  (inner) => `cat <<'END'\n${inner}\nEND\n`,
  (inner, other) => `cat <<-END && ${other}\n\t${inner}\n\tEND\n`,
  (inner) => `cat <<"E D"\n${inner}\nE D\n`,
  (inner) => `cat <<$'END'\n${inner}\nEND\n`,
  (inner) => `cat <<$END\n${inner}\n$END\n`,
  (inner) => `cat <<< "$( ${inner} )"`,
  (inner) => `sh -c ${quote(inner)}`,
  (inner) => `bash -lc ${quote(inner)}`,
  (inner) => `bash -c ${quote(inner)} x y`,
  (inner) => `eval ${quote(inner)}`,
  (inner) => `env ${inner}`,
  (inner) => `timeout 5 ${inner}`,
  (inner) => `nohup env x=1 ${inner}`,
  (inner) => `xargs -n1 ${inner}`,
  (inner, other) => `${other} | xargs ${inner}`,
  (inner) => `find . -exec ${inner} {} +`,
  (inner) => `find . -name 'a*' -exec timeout 5 ${inner} \\;`,
  (inner) => `mv a.txt .env && ${inner}`,
  (inner) => `ln -s secret.txt x; ${inner}`,
  (inner) => `rm .env; ${inner}`,
  (inner) => `cd sub && ${inner}`,
  (inner) => `(cd src; ${inner})`,
  (inner) => `echo a # b\n${inner}`,
  (inner) => `echo a\\\n${inner}`,
  (inner, other) => `${other} | while read x; do ${inner}\ndone`,
  (inner) => `$[ ${inner} ]`,
  (inner) => `(( ${inner} ))`,
  (inner) => `coproc ${inner}`,
];

function quote(line: string): string {
  return `'${line.replaceAll("'", `'\\''`)}'`;
}

/** Parts from which words and redirections are composed. */
const pieces = [
  ...listed(String.raw`
    {  }  ,  ..  a  push  secret  .txt  -ex  ec  -o  out/x  1  $x  ~  *  ?  [  ]  !  ^  "  '  \  $  =  +=  :  /  @(
    |  )  #  <(  %  sub  .env
  `),
  ...['${x}', '`'],
];

const rough = fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 7 }).map((each) => each.join(''));

const roughRedirection = fc
  .array(
    fc.constantFrom('<', '>', '&', '-', '|', '1', '2', '{fd}', 'a.txt', 'push', 'out/x', '$x', '(evil)', ' ', '!'),
    {
      minLength: 2,
      maxLength: 5,
    },
  )
  .map((each) => each.join(''));

const word = fc.oneof({ arbitrary: fc.constantFrom(...words), weight: 6 }, { arbitrary: rough, weight: 1 });

const redirection = fc.oneof(
  { arbitrary: fc.constantFrom(...redirections), weight: 3 },
  { arbitrary: roughRedirection, weight: 1 },
);

const simple = fc
  .record({
    set: fc.option(fc.constantFrom(...assignments), { freq: 7 }),
    command: fc.constantFrom(...names),
    rest: fc.array(word, { maxLength: 4 }),
    redirection: fc.option(redirection, { freq: 5 }),
  })
  .map(({ set, command, rest, redirection: last }) =>
    [set, command, ...rest, last].filter((each) => each !== null).join(' '),
  );

const seed = fc.constantFrom(...seedLines);

const part = fc.oneof({ arbitrary: simple, weight: 3 }, { arbitrary: seed, weight: 2 });

const list = fc
  .tuple(part, fc.array(fc.tuple(fc.constantFrom(...operators), part), { maxLength: 2 }))
  .map(([first, more]) => first + more.map(([operator, each]) => operator + each).join(''));

const nested = fc
  .tuple(part, fc.array(fc.tuple(fc.constantFrom(...wraps), simple), { minLength: 1, maxLength: 3 }))
  .map(([inner, around]) => around.reduce((text, [wrap, other]) => wrap(text, other), inner));

/** Characters that change how a shell reads the rest. */
const marks = [
  ...listed(String.raw`
    "  '  $  \  {  }  (  )  [  ]  ;  &  |  <  >  #  !  *  ?  ~  =  +  ,  -  $(  ))  ((  [[  ]]  $'  $"  <<  <<<  &>
    |&  >(  <(  ;;  ;evil;  $x  ""  ''  \\  EOF  {a,b}  @(  :
  `),
  ...['`', '\n', ' ', '${', ' ]] ', '\\\n', '\t', ' -o', ' evil ', ' # ', '\nEOF\n', ' in ', ' do '],
  ...['\r'],
];

interface Mutation {
  readonly kind: 'insert' | 'delete' | 'double' | 'swap' | 'replace' | 'cut';
  readonly at: number;
  readonly mark: string;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('insert', 'insert', 'insert', 'delete', 'delete', 'double', 'swap', 'replace', 'cut'),
  at: fc.nat({ max: 100_000 }),
  mark: fc.constantFrom(...marks),
});

/** Changes a line, mostly at quotes and other special characters. */
function mutated(line: string, { kind, at, mark }: Mutation): string {
  const special = [...line.matchAll(/[^\w./ -]/g)].map(({ index }) => index);
  const place = at % 3 > 0 && special.length > 0 ? (special[at % special.length] ?? 0) : at % (line.length + 1);
  const [before, here, after] = [line.slice(0, place), line.slice(place, place + 1), line.slice(place + 1)];
  switch (kind) {
    case 'insert':
      return before + mark + here + after;
    case 'delete':
      return before + after;
    case 'double':
      return before + here + here + after;
    case 'swap':
      return before + after.slice(0, 1) + here + after.slice(1);
    case 'replace':
      return before + mark + after;
    case 'cut':
      return at % 2 === 0 ? before : here + after;
  }
}

const base = fc.oneof(
  { arbitrary: simple, weight: 3 },
  { arbitrary: list, weight: 4 },
  { arbitrary: nested, weight: 4 },
  { arbitrary: seed, weight: 2 },
);

const anyLine = fc.oneof(
  { arbitrary: base, weight: 4 },
  {
    arbitrary: fc
      .tuple(base, fc.array(mutation, { minLength: 1, maxLength: 3 }))
      .map(([line, changes]) => changes.reduce(mutated, line)),
    weight: 6,
  },
);

/** Whether a line is safe to run: it reaches only its own folder, ends no process, and starts a bounded number of processes. */
function isHarmless(line: string): boolean {
  const names = [...line.matchAll(/([\w-]+)[\s\\]*\(\)|function\s+([\w-]+)/g)].map(([, a, b]) => a ?? b ?? '');
  const callsItself = names.some((name) => line.split(/[^\w-]+/).filter((each) => each === name).length > 3);
  const leaves =
    (line.match(/\.\./g) ?? []).length > 3 ||
    /\/(?:tmp|home|root|etc|usr|var|s?bin|lib|proc|sys|opt|Users)\b/.test(line);
  const isDevice = /\/dev\/(?!null)/.test(line);
  return (
    line.length < 2_000 &&
    !callsItself &&
    !leaves &&
    !isDevice &&
    !/kill|\bulimit|suspend|monitor|set\s+-\w*m|command[^;|&]*-\w*p|export\s+-n|declare\s+\+x|unset[^;|&]*PATH|8[<>]|\0/.test(
      line,
    )
  );
}

/** First all known lines, then random ones, which are the same for the same seed. */
export function* endlessLines(seedNumber: number): Generator<string, never> {
  yield* seedLines.filter(isHarmless);
  for (let next = seedNumber; ; next++) yield* randomLines(25, next);
}

export function randomLines(count: number, seedNumber: number): readonly string[] {
  return fc.sample(fc.noBias(anyLine.filter(isHarmless)), { numRuns: count, seed: seedNumber });
}
