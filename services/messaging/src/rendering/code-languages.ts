/** A language of code blocks. */
export interface CodeLanguage {
  /** Canonical lexer name: what clients match code playgrounds against. The label as written if it is unknown. */
  readonly name: string
  /** What the highlighter calls it; null where it has no grammar. */
  readonly grammar: string | null
}

/** Name, grammar, aliases in lower case. */
const LANGUAGES: readonly (readonly [name: string, grammar: string | null, ...aliases: string[]])[] = [
  ['Bash', 'bash', 'bash', 'sh', 'shell', 'zsh', 'ksh'],
  ['Bash Session', 'shell', 'console', 'shell-session'],
  ['C', 'c', 'c', 'h'],
  ['C++', 'cpp', 'c++', 'cpp', 'hpp', 'cc'],
  ['C#', 'csharp', 'c#', 'csharp', 'cs'],
  ['Clojure', 'clojure', 'clojure', 'clj'],
  ['CSS', 'css', 'css'],
  ['Dart', 'dart', 'dart'],
  ['Diff', 'diff', 'diff', 'patch', 'udiff'],
  ['Docker', 'dockerfile', 'docker', 'dockerfile'],
  ['Elixir', 'elixir', 'elixir', 'ex', 'exs'],
  ['Erlang', 'erlang', 'erlang', 'erl'],
  ['Go', 'go', 'go', 'golang'],
  ['GraphQL', 'graphql', 'graphql'],
  ['Haskell', 'haskell', 'haskell', 'hs'],
  ['HTML', 'xml', 'html'],
  ['INI', 'ini', 'ini', 'cfg', 'dosini'],
  ['Java', 'java', 'java'],
  ['JavaScript', 'javascript', 'javascript', 'js'],
  ['jsx', 'javascript', 'jsx'],
  ['JSON', 'json', 'json'],
  ['Julia', 'julia', 'julia', 'jl'],
  ['Kotlin', 'kotlin', 'kotlin', 'kt'],
  ['LessCss', 'less', 'less'],
  ['Lua', 'lua', 'lua'],
  ['Makefile', 'makefile', 'makefile', 'make', 'mf'],
  ['Markdown', 'markdown', 'markdown', 'md'],
  ['Nginx configuration file', 'nginx', 'nginx'],
  ['Objective-C', 'objectivec', 'objective-c', 'objectivec', 'objc'],
  ['OCaml', 'ocaml', 'ocaml'],
  ['Perl', 'perl', 'perl', 'pl'],
  ['PHP', 'php', 'php'],
  ['PowerShell', 'powershell', 'powershell', 'ps1', 'pwsh'],
  ['Python', 'python', 'python', 'py', 'python3', 'py3'],
  ['Python console session', 'python-repl', 'pycon'],
  ['Ruby', 'ruby', 'ruby', 'rb'],
  ['Rust', 'rust', 'rust', 'rs'],
  ['S', 'r', 'r', 's', 'splus'],
  ['Scala', 'scala', 'scala'],
  ['SCSS', 'scss', 'scss'],
  ['SQL', 'sql', 'sql'],
  ['Swift', 'swift', 'swift'],
  ['TeX', 'latex', 'tex', 'latex'],
  ['Text only', null, 'text'],
  ['TOML', 'ini', 'toml'],
  ['TypeScript', 'typescript', 'typescript', 'ts'],
  ['tsx', 'typescript', 'tsx'],
  ['VB.net', 'vbnet', 'vb.net', 'vbnet'],
  ['WebAssembly', 'wasm', 'wast', 'wat'],
  ['XML', 'xml', 'xml', 'xsl'],
  ['YAML', 'yaml', 'yaml', 'yml'],
]

const LANGUAGE_BY_ALIAS: ReadonlyMap<string, CodeLanguage> = new Map(
  LANGUAGES.flatMap(([name, grammar, ...aliases]) =>
    aliases.map((alias) => [alias, { name, grammar }] as const),
  ),
)

/** The language that a fence's info string or a setting names, or null. */
export function codeLanguage(info: string): CodeLanguage | null {
  const label = fenceLabel(info)
  if (label === null) return null
  return LANGUAGE_BY_ALIAS.get(label.toLowerCase()) ?? { name: label, grammar: null }
}

/** The first word of an info string; `{.python hl_lines="1"}` and `.python` are older ways to write `python`. */
export function fenceLabel(info: string): string | null {
  return /^\{?\s*\.?([^\s{}]+)/.exec(info.trim())?.[1] ?? null
}
