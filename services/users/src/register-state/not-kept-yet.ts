/**
 * Fetch types of things that accounts don't have yet, with the empty values that clients take for "none".
 */
export const notKeptYet: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  onboarding_steps: { onboarding_steps: [] },
  presence: { presences: {}, presence_last_update_id: -1 },
  user_status: { user_status: {} },
  video_calls: { has_zoom_token: false },
}
