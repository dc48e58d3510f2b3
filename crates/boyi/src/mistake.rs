//! How a wrong command line is explained; clap itself speaks only English.

use std::error::Error as _;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use games::Language;

/// What is said of a place to listen that is none.
pub(crate) const NO_ADDRESS: &str =
    "an address and a port: 127.0.0.1:8080 for this machine, 0.0.0.0:8080 for the network";

/// Explains a wrong command line, or prints the help that was asked for.
pub(crate) fn report(error: &clap::Error, language: Language) -> ExitCode {
    let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    // Help is in the run's language already.
    let help = asked || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if help || language == Language::En {
        let _ = error.print();
    } else {
        let _ = write!(anstream::stderr().lock(), "boyi：{}", in_chinese(error));
    }
    ExitCode::from(if asked { 0 } else { 2 })
}

/// What clap says in English, with everything it says.
fn in_chinese(error: &clap::Error) -> String {
    let value = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join("、"),
        Some(ContextValue::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let (argument, given) = (value(ContextKind::InvalidArg), value(ContextKind::InvalidValue));
    let mut text = match error.kind() {
        ErrorKind::InvalidSubcommand => format!("没有命令“{}”", value(ContextKind::InvalidSubcommand)),
        ErrorKind::MissingSubcommand => "缺少子命令".to_owned(),
        ErrorKind::UnknownArgument => format!("没有参数“{argument}”"),
        ErrorKind::MissingRequiredArgument => format!("缺少参数：{argument}"),
        ErrorKind::InvalidValue if given.is_empty() => format!("参数“{argument}”缺少值"),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => format!("参数“{argument}”的值“{given}”无效"),
        ErrorKind::NoEquals => format!("参数“{argument}”与值之间需要等号"),
        ErrorKind::TooManyValues => format!("参数“{argument}”多了一个值“{given}”"),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            let wanted = value(ContextKind::ExpectedNumValues) + &value(ContextKind::MinValues);
            format!("参数“{argument}”需要 {wanted} 个值，给出了 {} 个", value(ContextKind::ActualNumValues))
        }
        ErrorKind::ArgumentConflict => match value(ContextKind::PriorArg) {
            prior if prior == argument || prior.is_empty() => format!("参数“{argument}”只能给一次"),
            prior => format!("参数“{argument}”不能与“{prior}”同时使用"),
        },
        ErrorKind::InvalidUtf8 => "命令行不是有效的 UTF-8 文本".to_owned(),
        _ => error.to_string(),
    };
    if let Some(source) = error.source() {
        let _ = write!(text, "：{}", why_in_chinese(&source.to_string()));
    }
    let possible = [ContextKind::ValidValue, ContextKind::ValidSubcommand].map(value).concat();
    if !possible.is_empty() {
        let _ = write!(text, "\n  可用：{possible}");
    }
    for kind in [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue] {
        let suggestion = value(kind);
        if !suggestion.is_empty() {
            let _ = write!(text, "\n  是否想用“{suggestion}”？");
        }
    }
    if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
        let usage = usage.to_string();
        let _ = write!(text, "\n\n用法：{}", usage.trim_start_matches("Usage:").trim());
    }
    text.push_str("\n用 boyi --help 查看用法。\n");
    text
}

/// What the readers of numbers and addresses say; our own readers give examples, which need no language.
fn why_in_chinese(reason: &str) -> String {
    const SAID: [(&str, &str); 7] = [
        ("invalid digit found in string", "应为整数"),
        ("cannot parse integer from empty string", "应为整数"),
        ("number too large to fit in target type", "数值过大"),
        ("number too small to fit in target type", "数值过小"),
        ("invalid float literal", "应为数字"),
        (NO_ADDRESS, "应为“地址:端口”：仅供本机用 127.0.0.1:8080，供整个网络用 0.0.0.0:8080"),
        ("provided string was not `true` or `false`", "应为 true 或 false"),
    ];
    if let Some((given, range)) = reason.split_once(" is not in ") {
        return format!("{given} 不在范围 {range} 内");
    }
    SAID.iter()
        .find(|(english, _)| *english == reason)
        .map_or_else(|| reason.to_owned(), |(_, text)| (*text).to_owned())
}
