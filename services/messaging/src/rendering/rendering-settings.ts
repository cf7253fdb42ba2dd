import type { Linkifier as LinkifierRecord } from '@tms/contracts'

/** A pattern, RE2 with named groups, and the RFC 6570 template of the links that it makes. */
export type Linkifier = Pick<LinkifierRecord, 'pattern' | 'url_template'>

/** Settings of the organization and the sender that affect rendering. */
export interface RenderingSettings {
  /** In the order in which they are applied. */
  readonly linkifiers: readonly Linkifier[]
  /** URL of the organization without a slash at the end, by which links to its uploads are recognized. */
  readonly realmUrl: string
  readonly showsPreviews: boolean
  /** Language of code blocks without one; empty for none. */
  readonly defaultCodeLanguage: string
  readonly translatesEmoticons: boolean
  /** When the text was written: a time such as `Sunday 5pm` is relative to it. Now if left out. */
  readonly writtenAt?: Date
}

/** For texts without an author: only what all renderings have in common. */
export const plainSettings: RenderingSettings = {
  linkifiers: [],
  realmUrl: '',
  showsPreviews: false,
  defaultCodeLanguage: '',
  translatesEmoticons: false,
}
