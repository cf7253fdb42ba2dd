/**
 * What makes two names the same where case doesn't count: channels, topics, people, e-mails. Folded here and
 * stored, never in SQL: PostgreSQL's `lower` depends on the database's locale, and two foldings that disagree
 * on one letter make names that can be created but not found. Upper case first, for letters with two lower-case
 * forms.
 */
export function caseKey(name: string): string {
  return name.toUpperCase().toLowerCase()
}
