/** Every route of the REST API lies below it. */
export const API_PREFIX = '/api/v3';
