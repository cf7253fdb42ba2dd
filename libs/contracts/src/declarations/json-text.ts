/**
 * An object's JSON text in UTF-8. It is passed on as it is: an answer of tens of megabytes is serialized once, by its
 * owner, and parsed once, by the client.
 */
export class JsonText {
  /** Its bytes, in order; parts from another service can be read only once, as they arrive. */
  readonly parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** Number of bytes, braces included. */
  readonly length: number
  readonly #discard: () => void

  constructor(parts: JsonText['parts'], length: number, discard: () => void = () => {}) {
    this.parts = parts
    this.length = length
    this.#discard = discard
  }

  /** Releases unread parts; does nothing once everything was read. */
  discard(): void {
    this.#discard()
  }
}
