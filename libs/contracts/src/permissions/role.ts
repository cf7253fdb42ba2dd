/** A lower number has more power (API document, "User"). */
export const Role = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const
export type Role = (typeof Role)[keyof typeof Role]
