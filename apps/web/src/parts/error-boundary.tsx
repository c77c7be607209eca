import { Component, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
  readonly instead: (error: unknown, retry: () => void) => ReactNode;
}

interface State {
  readonly failure?: { readonly error: unknown } | undefined;
}

/** Confines a rendering error to one part of the page. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error } };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    return failure
      ? this.props.instead(failure.error, () => this.setState({ failure: undefined }))
      : this.props.children;
  }
}
