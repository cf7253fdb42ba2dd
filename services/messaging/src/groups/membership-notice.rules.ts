/** The user who changed a group. */
interface Actor {
  readonly user_id: number
  readonly full_name: string
}

/** The notice to a user that someone else added to a group, in Markdown. */
export function writeAddedNotice(actor: Actor, groupName: string): string {
  return `${mention(actor)} added you to the group ${mentionGroup(groupName)}.`
}

/** The notice to a user that someone else removed from a group, in Markdown. */
export function writeRemovedNotice(actor: Actor, groupName: string): string {
  return `${mention(actor)} removed you from the group ${mentionGroup(groupName)}.`
}

const mention = ({ full_name, user_id }: Actor): string => `@_**${full_name}|${user_id}**`

/** A mention takes everything between its stars as the name, but a name with a star can't be mentioned. */
const mentionGroup = (name: string): string => (name.includes('*') ? code(name) : `@_*${name}*`)

/** A code span whose fence is longer than any run of backticks inside. */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  // A backtick at an end would join the fence; the space between them is visible.
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${text}${pad}${fence}`
}
