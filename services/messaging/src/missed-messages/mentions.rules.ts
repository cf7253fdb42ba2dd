/** Users and groups that a text mentions by name, not silently. */
export interface Mentions {
  readonly userIds: ReadonlySet<number>
  readonly groupIds: ReadonlySet<number>
}

const USER = /<span class="user-mention" data-user-id="(\d+)">/g
const GROUP = /<span class="user-group-mention" data-user-group-id="(\d+)">/g

/** Reads the mentions in rendered content, where text is escaped. */
export function readMentions(html: string): Mentions {
  return { userIds: idsIn(html, USER), groupIds: idsIn(html, GROUP) }
}

const idsIn = (html: string, pattern: RegExp): ReadonlySet<number> =>
  new Set([...html.matchAll(pattern)].map(([, id]) => Number(id)))
