import { caseKey } from '../kernel/text/case-key.ts'
import { cleanText } from './syntax/clean-text.ts'
import { readEmojiNames } from './syntax/emoji-syntax.ts'
import { readChannel, readGroupMention, readMention } from './syntax/reference-syntax.ts'
import { findSystemGroup } from './syntax/system-groups.ts'
import { readUploadPaths } from './upload-paths.ts'

/** What a text may refer to, each once: user names folded by `caseKey`, names of channels and emoji as written. */
export interface References {
  userNames: string[]
  userIds: number[]
  channelNames: string[]
  /** Topics of links that lead to no message. */
  topics: { channelName: string; topic: string }[]
  /** Also folded by `caseKey`. */
  groupNames: string[]
  emojiNames: string[]
  /** Path IDs of uploads. */
  uploadPathIds: string[]
}

/**
 * Names and IDs that a text may refer to, so that the caller can look them up in one query. Linear time. It returns
 * too many rather than too few: text in code or after a letter counts too, because only the parser can tell.
 */
export function findReferences(content: string): References {
  const userNames = new Set<string>()
  const userIds = new Set<number>()
  const channelNames = new Set<string>()
  const topics = new Map<string, { channelName: string; topic: string }>()
  const groupNames = new Set<string>()
  const emojiNames = new Set<string>()
  const uploadPathIds = new Set<string>()

  for (const text of readings(cleanText(content))) {
    // Consumes only the first character: an unknown name may contain the start of a known one.
    for (const { index } of text.matchAll(/[@#](?=_?\*)/g)) {
      const mention = readMention(text, index)
      if (mention?.kind === 'name') userNames.add(caseKey(mention.name))
      if (mention?.kind === 'id') userIds.add(mention.userId)

      const group = readGroupMention(text, index)
      if (group && !findSystemGroup(group.name)) groupNames.add(caseKey(group.name))

      const channel = readChannel(text, index)
      if (channel) channelNames.add(channel.whole)
      if (!channel?.withTopic) continue
      const { name, topic, messageId } = channel.withTopic
      channelNames.add(name)
      if (messageId === null) topics.set(`${name}>${topic}`, { channelName: name, topic })
    }
    for (const { name } of readEmojiNames(text)) emojiNames.add(name)
    for (const pathId of readUploadPaths(text)) uploadPathIds.add(pathId)
  }
  return {
    userNames: [...userNames],
    userIds: [...userIds],
    channelNames: [...channelNames],
    topics: [...topics.values()],
    groupNames: [...groupNames],
    emojiNames: [...emojiNames],
    uploadPathIds: [...uploadPathIds],
  }
}

/** In a table cell `\|` means `|`, outside it doesn't; without parsing, both are possible. */
function readings(text: string): string[] {
  return text.includes('\\|') ? [text, text.replaceAll('\\|', '|')] : [text]
}
