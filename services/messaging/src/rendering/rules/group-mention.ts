import type { MarkdownIt, StateInline } from 'markdown-it'
import { caseKey } from '../../kernel/text/case-key.ts'
import { mayStartReference, readGroupMention } from '../syntax/reference-syntax.ts'
import { contextOf } from '../syntax/render-context.ts'
import { findSystemGroup } from '../syntax/system-groups.ts'
import { pushTextElement } from './text-element.ts'

const AT = 0x40

/** Mentions of groups, of system groups only silent ones. A mention of an unknown group stays text. */
export function groupMentions(parser: MarkdownIt): void {
  parser.inline.ruler.before('emphasis', 'group_mention', groupMention)
}

function groupMention(state: StateInline, isSilent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== AT || !mayStartReference(state.src, state.pos)) return false
  const mention = readGroupMention(state.src, state.pos)
  if (!mention || state.pos + mention.length > state.posMax) return false

  const context = contextOf(state.env)
  const group = context.lookup.groupsByName.get(caseKey(mention.name))
  const systemGroup = group || !mention.isSilent ? null : findSystemGroup(mention.name)
  if (!group && !systemGroup) return false
  if (!isSilent) {
    const isQuiet = mention.isSilent || context.quoteDepth > 0
    if (group && !isQuiet) context.mentionedGroupIds.add(group.groupId)
    if (group) pushMention(state, group.groupId, group.name, isQuiet)
    if (systemGroup) pushMention(state, systemGroup.groupId, systemGroup.title, true)
  }
  state.pos += mention.length
  return true
}

function pushMention(state: StateInline, groupId: number, name: string, isQuiet: boolean): void {
  pushTextElement(
    state,
    'span',
    [
      ['class', isQuiet ? 'user-group-mention silent' : 'user-group-mention'],
      ['data-user-group-id', groupId],
    ],
    isQuiet ? name : `@${name}`,
  )
}
