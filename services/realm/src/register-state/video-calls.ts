/** Where video calls are held unless the organization says otherwise. */
export const DEFAULT_JITSI_URL = 'https://meet.jit.si'
