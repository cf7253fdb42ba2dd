/**
 * Folds the case of a name, so that names which differ only in case are equal: channels, topics, users, e-mails.
 * Folded here and stored, never in SQL: `lower` of PostgreSQL depends on the locale of the database, and two
 * foldings that disagree on one letter make names that can be created but not found. Upper case first, for letters
 * with two lower-case forms.
 */
export function caseKey(name: string): string {
  return name.toUpperCase().toLowerCase()
}
