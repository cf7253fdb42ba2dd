import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http'
import type { AnswerTarget } from '../http/answer-target.ts'

/** Characters of an answer that are sent at once: a client that reads slowly delays only its own answer, and the gateway keeps no more. */
const PART_LENGTH = 64 * 1024

/** The link over which an answer goes. */
interface AnswerSender {
  /** A part of the answer is there to be sent. */
  send(answer: LinkedAnswer): void
  /** The answer broke off. */
  breakOff(answer: LinkedAnswer): void
}

/** The answer to one request of a link. It is written in one piece, and sent in parts. */
export class LinkedAnswer implements AnswerTarget {
  readonly number: number
  readonly headers: string[] = []
  statusCode = 200
  headersSent = false
  destroyed = false
  readonly #sender: AnswerSender
  #text = ''
  #sentLength = 0
  #listeners: (() => void)[] = []

  constructor(number: number, sender: AnswerSender) {
    this.number = number
    this.#sender = sender
  }

  setHeader(name: string, value: number | string | readonly string[]): void {
    if (typeof value === 'object') for (const each of value) this.headers.push(name, each)
    else this.headers.push(name, String(value))
  }

  writeHead(status: number, headers: OutgoingHttpHeaders | OutgoingHttpHeader[]): this {
    this.statusCode = status
    this.headersSent = true
    if (Array.isArray(headers)) for (const each of headers) this.headers.push(String(each))
    else for (const name in headers) this.setHeader(name, headers[name] ?? '')
    return this
  }

  end(text = ''): void {
    this.#text = text
    if (!this.destroyed) this.#sender.send(this)
  }

  destroy(): void {
    if (this.destroyed) return
    this.#sender.breakOff(this)
    this.close()
  }

  on(_event: 'close', listener: () => void): void {
    this.#listeners.push(listener)
  }

  once(event: 'close', listener: () => void): void {
    this.on(event, listener)
  }

  /** It was sent, or nobody gets it any more. */
  close(): void {
    if (this.destroyed) return
    this.destroyed = true
    this.#text = ''
    for (const listener of this.#listeners) listener()
  }

  /** The next part of the text. */
  takePart(): { readonly text: string; readonly isFirst: boolean; readonly isLast: boolean } {
    const start = this.#sentLength
    const end = endOfPart(this.#text, start)
    this.#sentLength = end
    return { text: this.#text.slice(start, end), isFirst: start === 0, isLast: end === this.#text.length }
  }
}

/** Cuts no character in two, of which one half alone is no UTF-8. */
function endOfPart(text: string, start: number): number {
  const end = start + PART_LENGTH
  if (end >= text.length) return text.length
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end
}
