/** Characters of a mail that are read: a message takes fewer. */
const MAX_CHARACTERS = 100_000
/** Lines that the introduction of a quote may be broken into. */
const MAX_INTRODUCTION_LINES = 3
const MAX_INTRODUCTION = 500
/** Lines within which the headers of a quoted mail follow each other. */
const HEADER_LINES = 4

/** 'On Monday Ann wrote:', in the languages in which mail programs write it. */
const INTRODUCTIONS = [
  /^On\b.{4,400}\bwrote\s?:$/,
  /^Am\b.{4,400}\bschrieb\b.{0,300}:$/,
  /^.{1,300}\bschrieb am\b.{4,300}:$/,
  /^Le\b.{4,400}\ba écrit\s?:$/,
  /^El\b.{4,400}\bescribió\s?:$/,
  /^Em\b.{4,400}\bescreveu\s?:$/,
  /^Il\b.{4,400}\bha scritto\s?:$/,
  /^Op\b.{4,400}\bschreef\b.{0,300}:$/,
  /^\d{4}年.{4,400}[:：]$/,
]
/** A date or a time: what introduces quoted lines in other languages has one. */
const MOMENT = /\d{1,4}[-./]\s?\d{1,2}|\d{1,2}[:.]\d{2}/
const ORIGINAL =
  /^-{2,}\s*(?:original message|original appointment|forwarded message|ursprüngliche nachricht|originalnachricht|weitergeleitete nachricht|message d.origine|message transféré|mensaje original|mensaje reenviado|mensagem original|mensagem encaminhada|messaggio originale|oorspronkelijk bericht|元のメッセージ|転送メッセージ)\s*-{2,}$/i
const FROM = /^(?:From|Von|De|Da|Van|Från|Fra|差出人|送信者)\s?[:：]/i
const SENT =
  /^(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado(?: el| em)?|Fecha|Data|Inviato|Verzonden|Skickat|Sendt|送信日時|日時|日付)\s?[:：]/i
/** A line as headers are, in any language. */
const HEADER = /^\p{L}[\p{L}\p{M} .'’-]{0,24}[:：](?!\/\/)\s?\S/u
/** The link below our mails by which their recipient, or anyone, turns them off. */
const UNSUBSCRIBE = /^[^>].{0,1000}\/accounts\/unsubscribe\/|^\/accounts\/unsubscribe\//
const RULE = /^(?:_{5,}|-{5,})$/
/** What programs add of themselves below a mail. */
const PROGRAM =
  /^(?:Sent from (?:my|Outlook|Mail|Yahoo).{0,60}|Get Outlook for .{0,60}|Von meinem .{1,40} gesendet|Gesendet (?:von|mit) .{1,60}|Envoyé (?:de|depuis) .{1,60}|Enviado (?:desde|do|de) .{1,60}|Outlook for .{1,20}を入手|.{1,20}から送信)$/i

/** An address of ours, or what addresses of ours look like. */
type OwnAddress = string | RegExp

/**
 * What a person has written in a mail: without the quoted mail, the signature, and what the program adds. Text below a
 * quote stays. `own` are addresses of ours, by which the introduction of a quote is recognized in any language.
 */
export function extractReply(text: string, own: readonly OwnAddress[] = []): string {
  const lines = text.slice(0, MAX_CHARACTERS).replace(/\r\n?/g, '\n').split('\n')
  const written: string[] = []
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    if (endsReply(lines, index, own)) break
    const count = countIntroduction(lines, index, own)
    if (count > 0) {
      // Below what isn't marked as quoted, nobody can tell what was written now.
      if (!isQuoted(nextLine(lines, index + count))) break
      index += count - 1
    } else if (!isQuoted(line)) written.push(line.trimEnd())
  }
  return withoutProgram(written)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const isQuoted = (line: string): boolean => line.startsWith('>')
/** A line without emphasis; nothing of one that is too long to be more than text. */
const plainOf = (line = ''): string =>
  line.length > MAX_INTRODUCTION ? '-' : line.replace(/(?<![*_])[*_]{1,2}(?![*_])/g, '').trim()
const nextLine = (lines: readonly string[], from: number, within = MAX_INTRODUCTION_LINES): string =>
  lines.slice(from, from + within).find((line) => line.trim() !== '') ?? ''

const namesOne = (text: string, own: readonly OwnAddress[]): boolean =>
  own.some((each) =>
    typeof each === 'string' ? text.toLowerCase().includes(each.toLowerCase()) : each.test(text),
  )

/** Whether nothing of the reply follows: a signature, or a mail that is quoted without marks. */
function endsReply(lines: readonly string[], index: number, own: readonly OwnAddress[]): boolean {
  const line = plainOf(lines[index])
  if (line === '--' || ORIGINAL.test(line) || UNSUBSCRIBE.test(lines[index] ?? '')) return true
  if (HEADER.test(line)) {
    // Whatever the language: headers of a mail from us, or to an address for replies.
    const headers = lines
      .slice(index, index + HEADER_LINES + 2)
      .map(plainOf)
      .filter((each) => HEADER.test(each))
    if (headers.length > 1 && headers.some((each) => namesOne(each, own))) return true
  }
  const from = RULE.test((lines[index] ?? '').trim()) ? index + 1 : index
  if (!FROM.test(plainOf(nextLine(lines, from, 2)))) return false
  return lines.slice(from, from + HEADER_LINES + 1).some((each) => SENT.test(plainOf(each)))
}

/** How many lines from this one introduce a quote; 0 if they don't. */
function countIntroduction(lines: readonly string[], index: number, own: readonly OwnAddress[]): number {
  let joined = ''
  for (let count = 1; count <= MAX_INTRODUCTION_LINES; count++) {
    const line = plainOf(lines[index + count - 1])
    if (line === '' || isQuoted(line)) return 0
    joined = joined === '' ? line : `${joined} ${line}`
    if (joined.length > MAX_INTRODUCTION) return 0
    if (!/[:：]$/.test(line)) continue
    const isKnown =
      INTRODUCTIONS.some((form) => form.test(joined)) ||
      namesOne(joined, own) ||
      (MOMENT.test(joined) && isQuoted(nextLine(lines, index + count)))
    return isKnown ? count : 0
  }
  return 0
}

function withoutProgram(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return last >= 0 && PROGRAM.test(plainOf(lines[last])) ? lines.slice(0, last) : lines
}
