import type { MentionLookup } from './mention-lookup.ts'
import type { RenderingSettings } from './rendering-settings.ts'

/** A rendered text with its mentions and uploads. */
export interface Rendered {
  html: string
  /** Active users with a mention that isn't silent, each once, in order of first mention. */
  mentionedUserIds: number[]
  /** Groups with a mention that isn't silent, likewise. */
  mentionedGroupIds: number[]
  mentionsChannelWildcard: boolean
  mentionsTopicWildcard: boolean
  /** Uploads that it links, each once: the part after `/user_uploads/`. */
  uploadPathIds: string[]
}

/** A text with everything that its rendering depends on. */
export interface RenderingJob {
  readonly content: string
  readonly lookup: MentionLookup
  readonly settings: RenderingSettings
}

/** Renders texts without blocking other requests. */
export interface Renderer {
  /**
   * Null if it takes more than 5 s, or too much memory. `authorId` is the user accountable for the text: long texts of
   * one author wait for each other, and hardly for those of others. Throws SERVICE_UNAVAILABLE if too much is waiting.
   */
  render(authorId: number, job: RenderingJob): Promise<Rendered | null>
  close(): Promise<void>
}
