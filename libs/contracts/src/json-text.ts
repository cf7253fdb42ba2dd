/**
 * An object's JSON text in UTF-8. Whoever gets one hands it on as it is: what can have tens of megabytes is written once,
 * where it is known, and read once, by the client.
 */
export class JsonText {
  /** Its bytes, in order; what comes from elsewhere while it is read can be read only once. */
  readonly parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** How many bytes that is, braces included. */
  readonly length: number
  readonly #discard: () => void

  constructor(parts: JsonText['parts'], length: number, discard: () => void = () => {}) {
    this.parts = parts
    this.length = length
    this.#discard = discard
  }

  /** Lets go of what is not going to be read; does nothing once everything was. */
  discard(): void {
    this.#discard()
  }
}
