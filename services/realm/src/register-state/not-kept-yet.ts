/**
 * Fetch types of things that the organization doesn't have yet, with the empty values that clients take for
 * "none".
 */
export const notKeptYet: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  custom_profile_fields: {
    custom_profile_fields: [],
    custom_profile_field_types: {
      SHORT_TEXT: { id: 1, name: 'Text (short)' },
      LONG_TEXT: { id: 2, name: 'Text (long)' },
      SELECT: { id: 3, name: 'List of options' },
      DATE: { id: 4, name: 'Date' },
      URL: { id: 5, name: 'Link' },
      USER: { id: 6, name: 'Users' },
      EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
      PRONOUNS: { id: 8, name: 'Pronouns' },
    },
  },
  giphy: { giphy_api_key: '' },
  realm_domains: { realm_domains: [] },
  realm_embedded_bots: { realm_embedded_bots: [] },
  realm_filters: { realm_filters: [] },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: [] },
  realm_playgrounds: { realm_playgrounds: [] },
  stop_words: { stop_words: [] },
}
