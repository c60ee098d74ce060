/**
 * What is there before and after the service: the data directory with its lock, the certificate, the listener, the pages of the
 * screens, and the state of the service.
 */
export { type Certificate, loadCertificate } from './certificate.ts';
export { type DataDirectory, openDataDirectory, type ServiceRecord } from './data-directory.ts';
export { dataDirectoryError, StartError } from './errors.ts';
export { createHost, type Host, type Service } from './host.ts';
export { PREFERRED_PORT } from './listener.ts';
