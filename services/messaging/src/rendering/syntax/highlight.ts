import { createRequire } from 'node:module'

type Highlighter = typeof import('highlight.js')['default']

/** Languages beside the common ones of the library. */
const MORE = [
  'clojure',
  'dart',
  'dockerfile',
  'elixir',
  'erlang',
  'haskell',
  'julia',
  'latex',
  'nginx',
  'ocaml',
  'powershell',
  'scala',
]

let highlighter: Highlighter | null = null

/** Loads all grammars with the first code block, since most texts have none. */
function loadHighlighter(): Highlighter {
  if (highlighter) return highlighter
  const require = createRequire(import.meta.url)
  const loaded = require('highlight.js/lib/common') as Highlighter
  for (const name of MORE) loaded.registerLanguage(name, require(`highlight.js/lib/languages/${name}`))
  highlighter = loaded
  return loaded
}

/**
 * CSS classes that clients have styles for, by the highlighter's scopes without sub-scopes. Scopes that are missing
 * get no class.
 */
const CLASS_BY_SCOPE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    addition: 'gi',
    attr: 'na',
    attribute: 'na',
    built_in: 'nb',
    bullet: 'o',
    'char escape_': 'se',
    code: 'sb',
    comment: 'c1',
    deletion: 'gd',
    doctag: 'sd',
    emphasis: 'ge',
    formula: 'm',
    keyword: 'k',
    link: 'nv',
    literal: 'kc',
    meta: 'cp',
    name: 'nt',
    number: 'mi',
    operator: 'o',
    property: 'na',
    punctuation: 'p',
    quote: 'c1',
    regexp: 'sr',
    section: 'gh',
    'selector-attr': 'na',
    'selector-class': 'nc',
    'selector-id': 'nn',
    'selector-pseudo': 'nd',
    'selector-tag': 'nt',
    string: 's',
    strong: 'gs',
    subst: 'si',
    symbol: 'ss',
    tag: 'nt',
    'template-tag': 'cp',
    'template-variable': 'nv',
    title: 'nf',
    'title class_': 'nc',
    type: 'kt',
    variable: 'nv',
  }),
)

/**
 * Renders code as HTML: spans with one class each, not nested, because clients expect none within another. A text has
 * the class of the innermost scope that has one.
 */
export function highlight(code: string, grammar: string): string {
  const { value } = loadHighlighter().highlight(code, { language: grammar, ignoreIllegals: true })
  const classes: (string | null)[] = []
  return value.replace(/<span class="hljs-([^"]*)">|<span[^>]*>|<\/span>|[^<]+/g, (part, scope?: string) => {
    if (part.startsWith('</')) classes.pop()
    else if (part.startsWith('<')) classes.push(classOf(scope ?? '') ?? classes.at(-1) ?? null)
    else return withClass(classes.at(-1) ?? null, part)
    return ''
  })
}

/** The class of a scope: of as many leading words of it as are known. */
function classOf(scope: string): string | null {
  for (let known = scope; known !== ''; known = known.slice(0, Math.max(0, known.lastIndexOf(' ')))) {
    const found = CLASS_BY_SCOPE.get(known)
    if (found !== undefined) return found
  }
  return null
}

function withClass(name: string | null, html: string): string {
  return name === null ? html : `<span class="${name}">${html}</span>`
}
