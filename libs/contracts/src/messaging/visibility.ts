/** Values of `visibility_policy` for topics. */
export const VisibilityPolicy = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const
export type VisibilityPolicy = (typeof VisibilityPolicy)[keyof typeof VisibilityPolicy]
