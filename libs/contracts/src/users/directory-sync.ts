import { z } from 'zod'

/** What a comparison with a directory changed, or would change; accounts by their folded addresses. */
export const directorySyncReport = z.object({
  /** Entries in the directory. */
  people: z.int(),
  /** Entries without an address, or with one that others have too. */
  skipped: z.int(),
  updated: z.array(z.string()),
  reactivated: z.array(z.string()),
  deactivated: z.array(z.string()),
  /** The only owner, who would otherwise be deactivated. */
  kept: z.array(z.string()),
  /** User groups whose members changed. */
  groups: z.array(z.string()),
  /** User groups that the settings name and the organization doesn't have. */
  unknown_groups: z.array(z.string()),
})
export type DirectorySyncReport = z.output<typeof directorySyncReport>
