/** The system's port in its container, for other containers in the same network. */
export const TEAM_MESSAGING_PORT = 8080
