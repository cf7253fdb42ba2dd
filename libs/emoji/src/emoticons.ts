const CODE_BY_EMOTICON: ReadonlyMap<string, string> = new Map([
  [':)', '1f642'],
  [':-)', '1f642'],
  ['(:', '1f642'],
  [':(', '1f641'],
  [':-(', '1f641'],
  [':|', '1f610'],
  [':-|', '1f610'],
  [':/', '1f615'],
  [':-/', '1f615'],
  [';)', '1f609'],
  [';-)', '1f609'],
  [':D', '1f600'],
  [':-D', '1f600'],
  [':P', '1f61b'],
  [':p', '1f61b'],
  [':-P', '1f61b'],
  [':-p', '1f61b'],
  [':o', '1f62e'],
  [':O', '1f62e'],
  [":'(", '1f622'],
  ['<3', '2764'],
  ['</3', '1f494'],
])

/** The code of the emoji that an emoticon such as `:)` stands for, or null. */
export function codeOfEmoticon(text: string): string | null {
  return CODE_BY_EMOTICON.get(text) ?? null
}
