import { matchesPattern } from '../kernel/event-filter.ts'
import { groupBy } from './group-by.ts'
import { code, count, inline, link, list, quote, sentence } from './markdown.ts'

/** More would fill the screen. */
const MAX_COMMITS = 20
const MAX_NAMED_AUTHORS = 3
const SHORT_SHA_LENGTH = 11

export interface Commit {
  readonly sha: string
  readonly url: string | null | undefined
  readonly message: string
  /** Null if unknown. */
  readonly author: string | null
}

export interface Push {
  readonly user: string
  readonly branch: string
  readonly compareUrl: string | null | undefined
  readonly commits: readonly Commit[]
  /** If the sender leaves commits out. */
  readonly total?: number | null | undefined
  readonly isForced?: boolean | null | undefined
}

/** A pull request, an issue or what else has a number and a title. */
export interface Item {
  readonly kind: string
  readonly number: number
  readonly title: string
  readonly url: string | null | undefined
}

export const branchTopic = (repository: string, branch: string): string => `${repository} / ${branch}`

export const itemTopic = (repository: string, { kind, number, title }: Item): string =>
  `${repository} / ${kind} #${number} ${title}`.trim()

export const releaseTopic = (repository: string, tag: string, title: string): string =>
  `${repository} / ${tag} ${title}`.trim()

/** A link to a commit. */
export const commitLink = (sha: string, url: string | null | undefined): string =>
  link(sha.slice(0, SHORT_SHA_LENGTH), url)

/** The name of a branch or tag in a full ref. */
export const nameOfRef = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '')

export const isBranchRef = (ref: string): boolean => ref.startsWith('refs/heads/')

/** Whether a list of names, separated by commas and with the wildcards of a shell, has a branch; an absent one does. */
export function isChosenBranch(branch: string, branches: string | undefined): boolean {
  const patterns = (branches ?? '')
    .split(',')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '')
  return patterns.length === 0 || patterns.some((pattern) => matchesPattern(branch, pattern))
}

/** A push to a branch; without commits the branch alone. */
export function pushText(push: Push): string {
  const verb = link(push.isForced ? 'force pushed' : 'pushed', push.compareUrl)
  const start = `${inline(push.user)} ${verb}`
  if (push.commits.length === 0) return `${start} the branch ${inline(push.branch)}.`
  const total = Math.max(push.total ?? 0, push.commits.length)
  const head = `${start} ${count(total, 'commit')} to branch ${inline(push.branch)}.`
  return `${head}${authorsText(push)}\n\n${commitList(push.commits, total)}`
}

function authorsText({ user, commits }: Push): string {
  const authors = groupBy(
    commits.flatMap(({ author }) => author || []),
    (author) => author,
  )
    .map((group) => ({ name: group[0] as string, commits: group.length }))
    .sort((a, b) => b.commits - a.commits || (a.name < b.name ? -1 : 1))
  if (authors.every(({ name }) => name === user)) return ''
  const others = authors.slice(MAX_NAMED_AUTHORS).reduce((sum, author) => sum + author.commits, 0)
  const names = authors
    .slice(0, MAX_NAMED_AUTHORS)
    .map((author) => `${inline(author.name)} (${author.commits})`)
  return ` Commits by ${list(others === 0 ? names : [...names, `others (${others})`])}.`
}

function commitList(commits: readonly Commit[], total: number): string {
  const lines = commits.slice(0, MAX_COMMITS).map(({ sha, url, message }) => {
    const title = inline(firstLine(message))
    return title === '' ? `* ${commitLink(sha, url)}` : `* ${title} (${commitLink(sha, url)})`
  })
  const more = total - lines.length
  return more > 0 ? `${lines.join('\n')}\n[and ${more} more commit(s)]` : lines.join('\n')
}

const firstLine = (text: string): string => text.trimStart().split(/\r\n?|\n/, 1)[0] ?? ''

export const createdBranchText = (user: string, branch: string, url?: string | null): string =>
  `${inline(user)} created ${link(branch, url)} branch.`

export const deletedBranchText = (user: string, branch: string, compareUrl?: string | null): string =>
  compareUrl
    ? `${inline(user)} ${link('deleted', compareUrl)} the branch ${inline(branch)}.`
    : `${inline(user)} deleted branch ${inline(branch)}.`

export const tagText = (user: string, verb: 'pushed' | 'removed', tag: string, url?: string | null): string =>
  `${inline(user)} ${verb} tag ${link(tag, url)}.`

/** A link to an item, with its title if the topic doesn't say it. */
export const itemLink = ({ kind, number, title, url }: Item, hasTopic: boolean): string =>
  link(hasTopic ? `${kind} #${number} ${title}` : `${kind} #${number}`, url)

/** What happened to an item. `action` is Markdown. */
export function itemText(about: {
  readonly user: string
  readonly action: string
  readonly item: Item
  readonly hasTopic: boolean
  readonly branches?: { readonly head: string; readonly base: string } | null
  readonly assignees?: readonly string[]
  /** Quoted, unless it is empty. */
  readonly body?: string | null | undefined
  /** Follows the link; Markdown. */
  readonly rest?: string
}): string {
  const { item, hasTopic, branches, assignees = [] } = about
  const rest = [
    about.rest ?? '',
    branches ? `from ${asCode(branches.head)} to ${asCode(branches.base)}` : '',
    assignees.length === 0 ? '' : `(assigned to ${list(assignees.map(inline))})`,
  ].filter((part) => part !== '')
  const text = [`${inline(about.user)} ${about.action} ${itemLink(item, hasTopic)}`, ...rest].join(' ')
  return withQuote(text, about.body, hasTopic && rest.length === 0 ? item.title.trim() : '')
}

/** A comment on something. `target` is Markdown. */
export const commentText = (about: {
  readonly user: string
  /** Such as `commented`, which is a link to the comment. */
  readonly verb?: string
  readonly url: string | null | undefined
  readonly preposition?: string
  readonly target: string
  readonly body: string | null | undefined
}): string => {
  const { user, verb = 'commented', url, preposition = 'on', target, body } = about
  return withQuote(`${inline(user)} ${link(verb, url)} ${preposition} ${target}`, body)
}

/** A sentence that a quoted text follows, if there is one. `end` is the text that it visibly ends with. */
export function withQuote(text: string, body: string | null | undefined, end = ''): string {
  const quoted = withoutComments(body ?? '').trim()
  if (quoted !== '') return `${text}:\n\n${quote(quoted)}`
  return end !== '' && sentence(end) === end ? text : `${text}.`
}

/** Without the hidden comments of HTML, which templates of descriptions are full of. */
export function withoutComments(text: string): string {
  const parts: string[] = []
  let at = 0
  for (;;) {
    const start = text.indexOf('<!--', at)
    const end = start < 0 ? -1 : text.indexOf('-->', start + 4)
    if (end < 0) return [...parts, text.slice(at)].join('')
    parts.push(text.slice(at, start))
    at = end + 3
  }
}

/** A person adds a label to an issue, or a milestone, or removes it. `action` and `what` are Markdown. */
export const attributeText = (about: {
  readonly user: string
  readonly userUrl: string | null | undefined
  readonly action: string
  readonly what: string
  readonly preposition: 'to' | 'from'
  readonly item: Item
  readonly hasTopic: boolean
}): string => {
  const { user, userUrl, action, what, preposition, item, hasTopic } = about
  const target = itemLink({ ...item, kind: capitalized(item.kind) }, hasTopic)
  return withQuote(
    `${link(user, userUrl)} ${action} ${what} ${preposition} ${target}`,
    null,
    hasTopic ? item.title.trim() : '',
  )
}

export const releaseText = (
  user: string,
  action: string,
  release: { readonly name: string; readonly tag: string; readonly url: string | null | undefined },
): string =>
  `${inline(user)} ${inline(action)} release ${link(release.name || release.tag, release.url)} for tag ${inline(release.tag)}.`

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Never empty: `code` of nothing is. */
const asCode = (text: string): string => code(text) || inline('?')
