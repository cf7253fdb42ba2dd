/** A pattern that becomes a link (API document, "Linkifier"). */
export interface Linkifier {
  /** RE2, with named groups `(?P<name>…)`. */
  readonly pattern: string
  /** RFC 6570, with the names of the groups. */
  readonly url_template: string
}

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
}

/** For texts that belong to nobody: what everybody's rendering has in common. */
export const plainSettings: RenderingSettings = {
  linkifiers: [],
  realmUrl: '',
  showsPreviews: false,
  defaultCodeLanguage: '',
  translatesEmoticons: false,
}
