/** How API tokens begin, so that people and scanners recognize a leaked one. No API key contains an underscore. */
export const API_TOKEN_PREFIX = 'tms_'
