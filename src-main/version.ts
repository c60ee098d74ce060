/** Version of the product: package.json has it, bundles and source runs read the same one. */
import manifest from '../package.json' with { type: 'json' };

export const PRODUCT_VERSION: string = manifest.version;
