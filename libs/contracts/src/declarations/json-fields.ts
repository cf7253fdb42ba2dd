/** Length in bytes and CRC-32 of a text, as at the end of gzip (RFC 1952, 2.3.1). */
export interface TextSum {
  readonly length: number
  readonly crc32: number
}

/**
 * The fields of an object as JSON in UTF-8, without its braces; empty if it has none. They are passed on as they are: an answer of
 * tens of megabytes is serialized once, by its owner, and parsed once, by the client.
 */
export class JsonFields {
  /** Their bytes, in order, deflated or not; parts from another service can be read only once, as they arrive. */
  readonly parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** Number of bytes of the parts. */
  readonly length: number
  /** The sum of the text that the parts are deflated from; null if they are the text itself. */
  readonly deflatedFrom: TextSum | null
  readonly #discard: () => void

  constructor(
    parts: JsonFields['parts'],
    length: number,
    deflatedFrom: TextSum | null = null,
    discard: () => void = () => {},
  ) {
    this.parts = parts
    this.length = length
    this.deflatedFrom = deflatedFrom
    this.#discard = discard
  }

  /** Releases unread parts; does nothing once everything was read. */
  discard(): void {
    this.#discard()
  }
}
