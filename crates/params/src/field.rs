//! The types that a field of settings may have.

use crate::{Param, ParamMut, ParamVisitor, Params};

/// A type that a field of settings may have. [`params`](crate::params) implements it for its structs and enums.
pub trait Field {
    /// Passes the field to `visitor`: as a parameter, as what it contains, or both. `param` describes the field.
    fn visit_field(&mut self, param: &'static Param, visitor: &mut ParamVisitor<'_>);
}

/// Fields that are one parameter.
macro_rules! parameter {
    ($($ty:ty: $kind:ident),+ $(,)?) => {
        $(
            impl Field for $ty {
                fn visit_field(&mut self, param: &'static Param, visitor: &mut ParamVisitor<'_>) {
                    visitor.param(param, ParamMut::$kind(self));
                }
            }
        )+
    };
}

parameter!(f64: Float, u32: Count, u64: Seed, bool: Switch, [f32; 3]: Color, String: Text);

/// A field that is missing has no parameter.
impl<T: Field> Field for Option<T> {
    fn visit_field(&mut self, param: &'static Param, visitor: &mut ParamVisitor<'_>) {
        if let Some(field) = self {
            field.visit_field(param, visitor);
        }
    }
}

/// A list of words is no parameter: it has no slider, and what owns it checks it.
impl Field for Vec<String> {
    fn visit_field(&mut self, _: &'static Param, _: &mut ParamVisitor<'_>) {}
}

/// Items have the parameters that they contain.
impl<T: Params> Field for Vec<T> {
    fn visit_field(&mut self, param: &'static Param, visitor: &mut ParamVisitor<'_>) {
        visitor.list(param.name, self);
    }
}
