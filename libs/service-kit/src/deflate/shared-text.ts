import { type DeflatedText, deflateText } from './deflated-text.ts'

/** A text that many answers have in common, deflated only once, when the first of them needs it. */
export class SharedText {
  readonly bytes: Uint8Array
  readonly #deflateText: typeof deflateText
  #deflated: Promise<DeflatedText> | null = null

  /** `deflate` is another function in tests. */
  constructor(bytes: Uint8Array, deflate: typeof deflateText = deflateText) {
    this.bytes = bytes
    this.#deflateText = deflate
  }

  get length(): number {
    return this.bytes.length
  }

  deflate(): Promise<DeflatedText> {
    this.#deflated ??= this.#deflateTrimmed().catch((err: unknown) => {
      // For want of memory; the next answer tries again.
      this.#deflated = null
      throw err
    })
    return this.#deflated
  }

  /** Without the rest of the buffer of 16 KiB that zlib has written to. */
  async #deflateTrimmed(): Promise<DeflatedText> {
    const { blocks, sum } = await this.#deflateText(this.bytes)
    return { blocks: new Uint8Array(blocks), sum }
  }
}
