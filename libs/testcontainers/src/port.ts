/** What the system listens on in its container. Other containers of its network reach it there. */
export const TEAM_MESSAGING_PORT = 8080
