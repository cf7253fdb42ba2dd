import type { MarkdownIt, StateInline } from 'markdown-it'
import type { MentionableUser, MentionLookup } from '../../kernel/rendering/mention-lookup.ts'
import { caseKey } from '../../kernel/text/case-key.ts'
import {
  mayStartReference,
  readMention,
  type UserMention,
  type WildcardMention,
} from '../syntax/reference-syntax.ts'
import { contextOf, type RenderContext } from '../syntax/render-context.ts'
import { pushTextElement } from './text-element.ts'

const AT = 0x40

/** Mentions of users and wildcards. A mention of an unknown user stays text. */
export function userMentions(parser: MarkdownIt): void {
  parser.inline.ruler.before('emphasis', 'user_mention', userMention)
}

function userMention(state: StateInline, isSilent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== AT || !mayStartReference(state.src, state.pos)) return false
  const mention = readMention(state.src, state.pos)
  if (!mention || state.pos + mention.length > state.posMax) return false

  const context = contextOf(state.env)
  if (mention.kind === 'wildcard') {
    if (!isSilent) pushWildcard(state, context, mention)
  } else {
    const user = findUser(context.lookup, mention)
    if (!user) return false
    if (!isSilent) pushUser(state, context, user, mention.isSilent)
  }
  state.pos += mention.length
  return true
}

function pushUser(
  state: StateInline,
  context: RenderContext,
  user: MentionableUser,
  asSilent: boolean,
): void {
  const isQuiet = asSilent || context.quoteDepth > 0 || !user.isActive
  if (!isQuiet) context.mentionedUserIds.add(user.userId)
  pushMention(state, 'user-mention', user.fullName, isQuiet, [['data-user-id', user.userId]])
}

function pushWildcard(state: StateInline, context: RenderContext, mention: WildcardMention): void {
  const isQuiet = mention.isSilent || context.quoteDepth > 0
  if (mention.audience === 'topic') {
    if (!isQuiet) context.mentionsTopicWildcard = true
    pushMention(state, 'topic-mention', mention.name, isQuiet, [])
    return
  }
  if (!isQuiet) context.mentionsChannelWildcard = true
  pushMention(state, 'user-mention', mention.name, isQuiet, [['data-user-id', '*']])
}

function pushMention(
  state: StateInline,
  className: string,
  name: string,
  isQuiet: boolean,
  attributes: [string, string | number][],
): void {
  const classes = isQuiet ? `${className} silent` : className
  pushTextElement(state, 'span', [['class', classes], ...attributes], isQuiet ? name : `@${name}`)
}

function findUser(lookup: MentionLookup, mention: UserMention): MentionableUser | null {
  if (mention.kind === 'id') {
    const user = lookup.usersById.get(mention.userId)
    return user && (mention.name === '' || mention.name === user.fullName) ? user : null
  }
  // Clients add the ID if a name is shared. If a text has no ID, all readers must see the same user.
  const namesakes = lookup.usersByName.get(caseKey(mention.name)) ?? []
  const [first] = namesakes.toSorted((a, b) => Number(b.isActive) - Number(a.isActive) || a.userId - b.userId)
  return first ?? null
}
