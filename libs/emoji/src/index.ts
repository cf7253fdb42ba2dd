export { type EmojiData, emojiData } from './emoji-data.ts'
export { codeOfEmojiName, nameOfEmojiCode, namesOfEmojiCode } from './emoji-names.ts'
export { codeOfEmoticon } from './emoticons.ts'
export { type FoundEmoji, findEmoji } from './find-emoji.ts'
