/**
 * What makes two channel names the same: they differ in case only. Folded here and stored, never in SQL:
 * PostgreSQL's `lower` depends on the database's locale, and two foldings that disagree on one letter make
 * channels that can be created but not found. Upper case first, for letters with two lower-case forms.
 */
export function channelNameKey(name: string): string {
  return name.toUpperCase().toLowerCase()
}
