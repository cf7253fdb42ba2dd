import type { Linkifier as LinkifierRecord } from '@tms/contracts'

/** A pattern, RE2 with named groups, and the RFC 6570 template of the links that it makes. */
export type Linkifier = Pick<LinkifierRecord, 'pattern' | 'url_template'>

/** What the organization and the sender decide about rendering. */
export interface RenderingSettings {
  /** In the order in which they are tried. */
  readonly linkifiers: readonly Linkifier[]
  /** Where the organization is, without a slash at the end: links to it are links to uploads, too. */
  readonly realmUrl: string
  readonly showsPreviews: boolean
  /** Of code blocks without a language; empty for none. */
  readonly defaultCodeLanguage: string
  readonly translatesEmoticons: boolean
  /** When the text was written: a time such as `Sunday 5pm` is one after that. The present if left out. */
  readonly writtenAt?: Date
}

/** For texts that belong to nobody: what everybody's rendering has in common. */
export const plainSettings: RenderingSettings = {
  linkifiers: [],
  realmUrl: '',
  showsPreviews: false,
  defaultCodeLanguage: '',
  translatesEmoticons: false,
}
