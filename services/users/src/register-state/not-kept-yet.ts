/**
 * Fetch types of things that accounts don't have yet, with the empty values that clients take for "none".
 */
export const notKeptYet: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  video_calls: { has_zoom_token: false },
}
