import { z } from 'zod'

/** Types of custom profile fields: their number, and the name that clients show. */
export const profileFieldTypes = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
} as const
const typeIds = Object.values(profileFieldTypes).map(({ id }) => id)
export const profileFieldType = z.literal(typeIds)
export type ProfileFieldType = z.output<typeof profileFieldType>

/** Built-in external accounts: the name, hint and URL of such a field are these. */
export const externalAccounts = {
  twitter: {
    text: 'Twitter',
    name: 'Twitter username',
    hint: '',
    url_pattern: 'https://twitter.com/%(username)s',
  },
  github: {
    text: 'GitHub',
    name: 'GitHub username',
    hint: '',
    url_pattern: 'https://github.com/%(username)s',
  },
} as const
export type ExternalAccount = keyof typeof externalAccounts

/** A custom profile field, which nobody has to fill in. */
export const profileField = z.object({
  id: z.int(),
  name: z.string(),
  type: profileFieldType,
  hint: z.string(),
  /** JSON text: the options of a list, or the external account; empty for other types. */
  field_data: z.string(),
  order: z.int(),
  required: z.boolean(),
  editable_by_user: z
    .boolean()
    .default(true)
    .describe('False: only administrators fill it in, for others and for themselves.'),
  /** Only present if true. */
  display_in_profile_summary: z.literal(true).optional(),
})
export type ProfileField = z.output<typeof profileField>

/** The options of a list, by value. */
export type FieldOptions = Readonly<Record<string, { readonly text: string; readonly order: string }>>

/** The values that a list allows; none for other types. */
export function optionKeysOf({ type, field_data }: Pick<ProfileField, 'type' | 'field_data'>): string[] {
  return type === profileFieldTypes.SELECT.id ? Object.keys(JSON.parse(field_data) as FieldOptions) : []
}
