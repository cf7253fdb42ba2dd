/** Fetch types without data here, with the empty values that clients expect. */
export const unsupportedFetchTypes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  video_calls: { has_zoom_token: false },
}
