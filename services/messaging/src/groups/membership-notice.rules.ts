/** Whoever changed a group. */
interface Actor {
  readonly user_id: number
  readonly full_name: string
}

/** What people are told whom someone else added to a group, in Markdown. */
export function tellAdded(actor: Actor, groupName: string): string {
  return `${mention(actor)} added you to the group ${mentionGroup(groupName)}.`
}

/** What people are told whom someone else removed from a group. */
export function tellRemoved(actor: Actor, groupName: string): string {
  return `${mention(actor)} removed you from the group ${mentionGroup(groupName)}.`
}

const mention = ({ full_name, user_id }: Actor): string => `@_**${full_name}|${user_id}**`

/** A mention takes everything between its stars as the name, but can't hold a star. */
const mentionGroup = (name: string): string => (name.includes('*') ? code(name) : `@_*${name}*`)

/** A code span whose fence is longer than any within. */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  // A backtick at an end would belong to the fence; the space between them is seen.
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${text}${pad}${fence}`
}
