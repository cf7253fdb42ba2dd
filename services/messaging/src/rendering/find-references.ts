import { caseKey } from '../kernel/text/case-key.ts'
import { cleanText } from './syntax/clean-text.ts'
import { readEmojiNames } from './syntax/emoji-syntax.ts'
import { readChannel, readGroupMention, readMention } from './syntax/reference-syntax.ts'
import { readUploadPaths } from './upload-paths.ts'

/** What a text may refer to, each once: user names folded by `caseKey`, names of channels and emoji as written. */
export interface References {
  userNames: string[]
  userIds: number[]
  channelNames: string[]
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
      if (group) groupNames.add(caseKey(group.name))

      const channel = readChannel(text, index)
      if (channel) channelNames.add(channel.whole)
      if (channel?.withTopic) channelNames.add(channel.withTopic.name)
    }
    for (const { name } of readEmojiNames(text)) emojiNames.add(name)
    for (const pathId of readUploadPaths(text)) uploadPathIds.add(pathId)
  }
  return {
    userNames: [...userNames],
    userIds: [...userIds],
    channelNames: [...channelNames],
    groupNames: [...groupNames],
    emojiNames: [...emojiNames],
    uploadPathIds: [...uploadPathIds],
  }
}

/** In a table cell `\|` means `|`, outside it doesn't; without parsing, both are possible. */
function readings(text: string): string[] {
  return text.includes('\\|') ? [text, text.replaceAll('\\|', '|')] : [text]
}
