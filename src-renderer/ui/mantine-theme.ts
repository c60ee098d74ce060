/** Mantine dressed in the tokens of theme.css: sizes and shapes here, colours only by variable. */
import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core';

/** Mantine wants ten shades of a colour; ours is one token per theme, so every shade is that token. */
const shades = (token: string): MantineColorsTuple => {
  const value = `var(${token})`;
  return [value, value, value, value, value, value, value, value, value, value];
};

export const theme = createTheme({
  primaryColor: 'accent',
  colors: { accent: shades('--pv-accent'), danger: shades('--pv-danger') },
  fontFamily: 'var(--pv-font)',
  fontFamilyMonospace: 'var(--pv-mono)',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  defaultRadius: '6px',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  variantColorResolver: (input) => {
    const colours = defaultVariantColorsResolver(input);
    if (input.variant !== 'filled') return colours;
    // Mantine would put white on every filled colour; our dark theme has bright ones.
    return { ...colours, color: input.color === 'danger' ? 'var(--pv-on-danger)' : 'var(--pv-on-accent)' };
  },
  headings: { fontFamily: 'var(--pv-font)', fontWeight: '600' },
  components: {
    Button: { defaultProps: { size: 'sm', variant: 'default' } },
    ActionIcon: { defaultProps: { variant: 'subtle', size: 30, color: 'gray' } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm', autosize: true, minRows: 2, maxRows: 8 } },
    Select: { defaultProps: { size: 'sm', comboboxProps: { transitionProps: { duration: 0 } } } },
    MultiSelect: { defaultProps: { size: 'sm', comboboxProps: { transitionProps: { duration: 0 } } } },
    TagsInput: { defaultProps: { size: 'sm', comboboxProps: { transitionProps: { duration: 0 } } } },
    Autocomplete: { defaultProps: { size: 'sm', comboboxProps: { transitionProps: { duration: 0 } } } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: '10px',
        overlayProps: { backgroundOpacity: 0.4 },
        transitionProps: { duration: 120, transition: 'fade' },
        closeButtonProps: { 'aria-label': 'Close' },
        // Its <header> would be a second banner landmark of the page.
        attributes: { header: { role: 'none' } },
      },
    },
    Menu: {
      defaultProps: {
        shadow: 'md',
        transitionProps: { duration: 0 },
        position: 'bottom-end',
        // The placeholder is a focusable thing that is no item, which a menu may not hold; the first item takes the focus.
        withInitialFocusPlaceholder: false,
      },
    },
    Tooltip: { defaultProps: { openDelay: 350, transitionProps: { duration: 80 }, multiline: true, maw: 320 } },
    Tabs: { defaultProps: { keepMounted: false } },
  },
});

/** Points Mantine's own variables at the tokens; both themes use the same list because the tokens switch. */
export const resolveVariables: CSSVariablesResolver = () => ({ variables: {}, light: mapped, dark: mapped });

const mapped: Record<string, string> = {
  '--mantine-color-body': 'var(--pv-surface)',
  '--mantine-color-text': 'var(--pv-text)',
  '--mantine-color-bright': 'var(--pv-text)',
  '--mantine-color-dimmed': 'var(--pv-text-3)',
  '--mantine-color-placeholder': 'var(--pv-text-3)',
  '--mantine-color-anchor': 'var(--pv-accent-text)',
  '--mantine-color-error': 'var(--pv-danger)',
  '--mantine-color-default': 'var(--pv-surface)',
  '--mantine-color-default-hover': 'var(--pv-hover)',
  '--mantine-color-default-color': 'var(--pv-text)',
  '--mantine-color-default-border': 'var(--pv-control)',
  '--mantine-color-disabled': 'var(--pv-sunken)',
  '--mantine-color-disabled-color': 'var(--pv-text-3)',
  '--mantine-color-disabled-border': 'var(--pv-border)',
  '--mantine-primary-color-filled': 'var(--pv-accent)',
  '--mantine-primary-color-filled-hover': 'var(--pv-accent-hover)',
  '--mantine-primary-color-contrast': 'var(--pv-on-accent)',
  '--mantine-primary-color-light': 'var(--pv-accent-soft)',
  '--mantine-primary-color-light-hover': 'var(--pv-accent-soft)',
  '--mantine-primary-color-light-color': 'var(--pv-accent-text)',
  '--mantine-color-accent-filled': 'var(--pv-accent)',
  '--mantine-color-accent-filled-hover': 'var(--pv-accent-hover)',
  '--mantine-color-accent-light': 'var(--pv-accent-soft)',
  '--mantine-color-accent-light-hover': 'var(--pv-accent-soft)',
  '--mantine-color-accent-light-color': 'var(--pv-accent-text)',
  '--mantine-color-accent-outline': 'var(--pv-accent-text)',
  '--mantine-color-danger-filled': 'var(--pv-danger)',
  '--mantine-color-danger-filled-hover': 'var(--pv-danger-hover)',
  '--mantine-color-danger-outline': 'var(--pv-danger)',
  '--mantine-color-danger-light': 'var(--pv-danger-soft)',
  '--mantine-color-danger-light-hover': 'var(--pv-danger-soft)',
  '--mantine-color-danger-light-color': 'var(--pv-danger)',
  '--mantine-color-gray-light-hover': 'var(--pv-hover)',
  '--mantine-color-gray-light-color': 'var(--pv-text-2)',
};
