/** Fetch types of features that don't exist yet, with the empty values that clients take for "none". */
export const unsupportedKeys: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  giphy: { giphy_api_key: '' },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
  realm_embedded_bots: { realm_embedded_bots: [] },
  realm_filters: { realm_filters: [] },
  stop_words: { stop_words: [] },
}
